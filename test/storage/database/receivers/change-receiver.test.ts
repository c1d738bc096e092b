import {
  applyDeclaredReceivers,
  countHeld,
  addReceiver,
  deleteReceiver,
  findReceiver,
  listAudit,
  listReceivers,
  maxReceivers,
  openReceiver,
  rememberRepository,
  rotateSigningSecret,
  updateReceiver,
} from '@floe/storage/database'
import type { Receiver, ReceiverChange, Database, NewReceiver } from '@floe/storage/database'
import t from 'tap'
import { secrets } from '../../sample-secrets.ts'
import { reachableEngines } from '../engines.ts'
import { at, by, claim, finish, moveHead, repositoryWith, setEnabled, summary, webhook } from '../recorded.ts'

const optionsAt = (ms: number) => ({ secrets, by, now: at(ms) })

/** Adds a webhook, or what `changes` make of it. */
function create(db: Database, repoId: string, changes: Partial<NewReceiver> = {}, ms = 0) {
  return addReceiver(db, { ...newWebhook(repoId), ...changes }, optionsAt(ms))
}

function newWebhook(repoId: string, alias = 'one'): NewReceiver {
  const url = `https://${alias}.example.org/hook`
  const receiver = { kind: 'webhook', alias, url, service: null, events: ['NewCommit'] } as const
  return { repoId, ...receiver, secretToken: 'open sesame', isEnabled: true }
}

function update(db: Database, receiver: Receiver, change: ReceiverChange, ms = 1) {
  return updateReceiver(db, receiver, change, optionsAt(ms))
}

/** The names of the errors of those that fail, and `done` for the others. */
async function nameOutcomes(changes: readonly Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(changes)
  const names = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : String(outcome.reason.name)))
  return names.toSorted()
}

for (const engine of await reachableEngines(t)) {
  t.test(`${engine.name}: what is added is found by its address, with its secrets sealed`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver, signingSecret } = await create(db, repoId)
    t.match(receiver, { origin: 'one.example.org:443', isDeclared: false, isEnabled: true, version: 1 })
    t.strictSame(await findReceiver(db, receiver), receiver)
    t.equal(await findReceiver(db, { ...receiver, kind: 'chat' }), undefined)
    t.equal(await findReceiver(db, { ...receiver, repoId: 'of another' }), undefined)
    t.strictSame(openReceiver(receiver, secrets, at(0)), {
      kind: 'webhook',
      url: 'https://one.example.org/hook',
      service: null,
      secretToken: 'open sesame',
      signingSecrets: [signingSecret],
    })
    const url = 'https://hooks.slack.com/services/hush'
    const chat = await create(db, repoId, { kind: 'chat', alias: 'two', url, service: 'slack', secretToken: null })
    t.match(chat, { signingSecret: null, receiver: { origin: 'hooks.slack.com:443', signingSecrets: [] } })
    t.match(openReceiver(chat.receiver, secrets, at(0)), { url, service: 'slack', signingSecrets: [] })
  })

  t.test(`${engine.name}: sealed secrets that were moved to another row are refused`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver } = await create(db, repoId)
    const { secretToken } = receiver
    const other = (await create(db, repoId, { alias: 'two' })).receiver
    t.throws(() => openReceiver({ ...other, secretToken }, secrets, at(0)), { name: 'SecretError' })
    const { signingSecrets } = receiver
    t.throws(() => openReceiver({ ...other, signingSecrets }, secrets, at(0)), { name: 'SecretError' })
    const { url } = receiver
    t.throws(() => openReceiver({ ...other, url }, secrets, at(0)), { name: 'SecretError' })
  })

  t.test(`${engine.name}: an alias is taken once in a repository, by whatever kind`, async (t) => {
    const { db, connect } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const processes = [db, await connect(), await connect()]
    const outcomes = await nameOutcomes(processes.map((one) => addReceiver(one, newWebhook(repoId), optionsAt(0))))
    t.strictSame(outcomes, ['AliasInUseError', 'AliasInUseError', 'done'])
    const chat = { ...newWebhook(repoId), kind: 'chat', service: 'slack', secretToken: null } as const
    await t.rejects(addReceiver(db, chat, optionsAt(0)), { name: 'AliasInUseError' })
    const { receiver } = await create(db, repoId, { alias: 'two' })
    await t.rejects(updateReceiver(db, receiver, { alias: 'one' }, optionsAt(1)), { name: 'AliasInUseError' })
    t.strictSame(await findReceiver(db, receiver), receiver, 'it is as it was')
    const elsewhere = await rememberRepository(db, 'acme', 'elsewhere', at(0))
    await create(db, elsewhere)
    t.equal((await listAudit(db, { repoId, limit: 9 })).length, 2, 'what was refused is not told')
  })

  t.test(`${engine.name}: a repository has no more than ${maxReceivers}, however many are added at once`, async (t) => {
    const { db, connect } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [webhook('declared')])
    const processes = [db, await connect(), await connect()]
    const outcomes = await nameOutcomes(
      Array.from({ length: maxReceivers + 5 }, (_, index) =>
        addReceiver(processes[index % 3] ?? db, newWebhook(repoId, `hook${index}`), optionsAt(0)),
      ),
    )
    t.equal(outcomes.filter((one) => one === 'done').length, maxReceivers - 1)
    t.equal(outcomes.filter((one) => one === 'TooManyReceiversError').length, 6)
    t.equal((await listReceivers(db, repoId)).length, maxReceivers)
  })

  t.test(`${engine.name}: a change leaves the rest as it is, and counts the version up`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver } = await create(db, repoId)
    const renamed = await update(db, receiver, { alias: 'other', url: undefined })
    t.strictSame(renamed.receiver, { ...receiver, alias: 'other', version: 2, updatedAt: at(1) })
    t.strictSame(await findReceiver(db, receiver), renamed.receiver)
    const silent = await update(db, receiver, { secretToken: null }, 2)
    t.strictSame(silent.receiver, { ...renamed.receiver, secretToken: null, version: 3, updatedAt: at(2) })
    const loud = await update(db, receiver, { secretToken: 'another' }, 3)
    t.equal(openReceiver(loud.receiver, secrets, at(3)).secretToken, 'another')
    const same = await update(db, receiver, { url: openReceiver(receiver, secrets, at(4)).url }, 4)
    t.equal(same.receiver.url, receiver.url, 'the same URL is no other one')
    t.notMatch(same.audit.after, { replaced: ['url'] })
  })

  t.test(
    `${engine.name}: another scheme, host, port or path takes the secret token away unless it is sent again`,
    async (t) => {
      const { db } = await engine.fresh(t)
      const { repoId } = await repositoryWith(db, [])
      const tokenAt = async (url: string, change: ReceiverChange = {}) => {
        const { receiver } = await create(db, repoId, { alias: url })
        const changed = await update(db, receiver, { url, ...change })
        const { secretToken } = openReceiver(changed.receiver, secrets, at(1))
        return [changed.receiver.origin, secretToken, changed.hasDroppedSecretToken]
      }
      t.strictSame(await tokenAt('https://one.example.org:443/hook?x=1'), ['one.example.org:443', 'open sesame', false])
      t.strictSame(await tokenAt('https://one.example.org/other'), ['one.example.org:443', null, true])
      t.strictSame(await tokenAt('https://one.example.org/hook/'), ['one.example.org:443', null, true])
      t.strictSame(await tokenAt('https://one.example.org/again', { secretToken: 'new' }), [
        'one.example.org:443',
        'new',
        false,
      ])
      t.strictSame(await tokenAt('https://one.example.org:8443/hook'), ['one.example.org:8443', null, true])
      t.strictSame(await tokenAt('https://two.example.org/hook'), ['two.example.org:443', null, true])
      t.strictSame(await tokenAt('https://three.example.org/', { secretToken: 'new' }), [
        'three.example.org:443',
        'new',
        false,
      ])
      t.strictSame(await tokenAt('https://four.example.org/', { secretToken: null }), [
        'four.example.org:443',
        null,
        false,
      ])
    },
  )

  t.test(`${engine.name}: of two changes of the same version, one is outdated`, async (t) => {
    const { db, connect } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver } = await create(db, repoId)
    const processes = [db, await connect()]
    const outcomes = await nameOutcomes(
      processes.map((one, index) =>
        updateReceiver(one, receiver, { alias: `a${index}` }, { ...optionsAt(1), versions: [1] }),
      ),
    )
    t.strictSame(outcomes, ['ReceiverChangedError', 'done'])
    const stale = { ...optionsAt(2), versions: [1, 7] }
    await t.rejects(deleteReceiver(db, receiver, stale), { name: 'ReceiverChangedError' })
    await moveHead(db, repoId, ['A'], at(2))
    await finish(db, await claim(db, at(3)), { kind: 'gone', disableReason: 'answered 410' }, at(4))
    t.match(await findReceiver(db, receiver), { version: 3, isEnabled: false }, 'so is one before it was disabled')
    const fresh = { ...optionsAt(5), versions: [3] }
    await deleteReceiver(db, receiver, fresh)
    t.equal(await findReceiver(db, receiver), undefined)
  })

  t.test(`${engine.name}: what is not there cannot be changed`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver } = await create(db, repoId)
    for (const address of [
      { ...receiver, id: 'none' },
      { ...receiver, repoId: 'of another' },
      { ...receiver, kind: 'chat' as const },
    ]) {
      const refusal = {
        name: 'ReceiverNotFoundError',
        message: new RegExp(`no ${address.kind} with the id ${address.id}`),
      }
      await t.rejects(updateReceiver(db, address, { alias: 'x' }, optionsAt(1)), refusal)
      await t.rejects(rotateSigningSecret(db, address, optionsAt(1)), refusal)
      await t.rejects(deleteReceiver(db, address, optionsAt(1)), refusal)
    }
    t.strictSame(await findReceiver(db, receiver), receiver)
  })

  t.test(`${engine.name}: a declared one is enabled and disabled, and neither changed nor deleted`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
    const declared = receivers.get('one')
    if (declared === undefined) throw new Error('it was not declared')
    const refusal = { name: 'DeclaredInFileError' }
    await t.rejects(updateReceiver(db, declared, { alias: 'x' }, optionsAt(1)), refusal)
    const both = { isEnabled: false, secretToken: null }
    await t.rejects(updateReceiver(db, declared, both, optionsAt(1)), refusal)
    await t.rejects(deleteReceiver(db, declared, optionsAt(1)), refusal)
    const { receiver } = await update(db, declared, { isEnabled: false })
    t.match(receiver, { isEnabled: false, disabledReason: 'disabled by an administrator', version: 2 })
    await applyDeclaredReceivers(db, repoId, [webhook('one')], { secrets, now: at(2) })
    t.strictSame(await findReceiver(db, declared), receiver, 'it stays so at the next start')
    t.match(await rotateSigningSecret(db, declared, optionsAt(3)), { signingSecret: /^whsec_/ })
  })

  t.test(`${engine.name}: while it is disabled its deliveries are held, and counted`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver } = await create(db, repoId)
    const other = (await create(db, repoId, { alias: 'two' })).receiver
    await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
    await finish(db, await claim(db, at(2)), { kind: 'delivered' }, at(3))
    await setEnabled(db, receiver, false, at(4))
    t.strictSame(summary(await claim(db, at(5))), ['two B'])
    const held = await countHeld(db, [receiver.id, other.id])
    t.strictSame([...held], [[receiver.id, 2]])
    t.strictSame(await countHeld(db, []), new Map())
    await update(db, receiver, { isEnabled: true, url: 'https://new.example.org/' }, 6)
    const [next] = await claim(db, at(7))
    t.match(next, { origin: 'new.example.org:443', event: { payload: '{"to":"C"}' } }, 'the latest, unless it is said')
    t.strictSame(await countHeld(db, [receiver.id]), new Map())
  })

  t.test(`${engine.name}: one that is added disabled gets nothing until it is enabled`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver } = await create(db, repoId, { isEnabled: false })
    t.match(receiver, { isEnabled: false, disabledReason: 'disabled by an administrator' })
    await moveHead(db, repoId, ['A'], at(1))
    await setEnabled(db, receiver, true, at(2))
    await moveHead(db, repoId, ['B'], at(3))
    t.strictSame(summary(await claim(db, at(4))), ['one B'])
  })

  t.test(`${engine.name}: deleting takes its deliveries along, also the one under way`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver } = await create(db, repoId)
    await moveHead(db, repoId, ['A', 'B'], at(1))
    const underWay = await claim(db, at(2))
    await deleteReceiver(db, receiver, optionsAt(3))
    t.strictSame(await db.selectFrom('deliveries').selectAll().execute(), [])
    t.equal((await finish(db, underWay, { kind: 'delivered' }, at(4))).length, 1)
    t.equal(await findReceiver(db, receiver), undefined)
  })

  t.test(`${engine.name}: a signing secret that was replaced signs for 24 hours more`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver, signingSecret } = await create(db, repoId)
    const rotateAt = (ms: number) => rotateSigningSecret(db, receiver, optionsAt(ms))
    const signingAt = async (ms: number) => {
      const present = await findReceiver(db, receiver)
      return present && openReceiver(present, secrets, at(ms)).signingSecrets
    }
    const day = 86_400_000
    const first = await rotateAt(10)
    t.match(first.signingSecret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    t.equal(first.receiver.version, 2)
    t.strictSame(await signingAt(day + 9), [first.signingSecret, signingSecret])
    t.strictSame(await signingAt(day + 10), [first.signingSecret])
    const second = await rotateAt(day + 20)
    t.equal(second.receiver.signingSecrets.length, 2, 'what has ended is forgotten')
    const later: string[] = []
    for (let n = 1; n <= 9; n++) later.unshift((await rotateAt(day + 20 + n)).signingSecret)
    t.strictSame(await signingAt(day + 30), later.slice(0, 4), 'no more than three that were replaced')
  })

  t.test(`${engine.name}: a webhook is added with the signing secret that it is given`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const { receiver, signingSecret } = await create(db, repoId, { signingSecret: given })
    t.equal(signingSecret, given)
    t.strictSame(openReceiver(receiver, secrets, at(0)).signingSecrets, [given])
    t.notMatch(JSON.stringify(await findReceiver(db, receiver)), given)
  })

  t.test(`${engine.name}: a signing secret that the file declares is changed there alone`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId, receivers } = await repositoryWith(db, [webhook('one', { signingSecret: 'whsec_first' })])
    const declared = receivers.get('one')
    if (declared === undefined) throw new Error('it was not declared')
    await t.rejects(rotateSigningSecret(db, declared, optionsAt(1)), { name: 'DeclaredInFileError' })
    await applyDeclaredReceivers(db, repoId, [webhook('one')], { secrets, now: at(2) })
    const rotated = await rotateSigningSecret(db, declared, optionsAt(3))
    t.strictSame(openReceiver(rotated.receiver, secrets, at(4)).signingSecrets, [rotated.signingSecret, 'whsec_first'])
  })

  t.test(`${engine.name}: each change is told in the audit, in its own transaction`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { receiver, audit } = await create(db, repoId)
    const renamed = await update(db, receiver, { alias: 'other' }, 1)
    const rotated = await rotateSigningSecret(db, receiver, optionsAt(2))
    const failing = { ...optionsAt(3), by: { ...by, id: null as never } }
    await t.rejects(deleteReceiver(db, receiver, failing), /null/i)
    const deleted = await deleteReceiver(db, receiver, optionsAt(4))
    const told = await listAudit(db, { repoId, limit: 9 })
    t.match(
      told,
      [
        { at: at(4), action: 'webhook.delete', before: { alias: 'other' }, after: null },
        { at: at(2), action: 'webhook.rotate-secret', before: { alias: 'other' }, after: { alias: 'other' } },
        { at: at(1), action: 'webhook.update', before: { alias: 'one' }, after: { alias: 'other' } },
        { at: at(0), action: 'webhook.create', before: null, after: { alias: 'one', signing_secrets: 1 } },
      ],
      'what could not be told was not done',
    )
    t.ok(told.every(({ subjectId, keyId, org }) => subjectId === receiver.id && keyId === by.id && org === by.org))
    t.match(told, [deleted.audit, rotated.audit, renamed.audit, audit], 'each change returns its entry')
  })
}
