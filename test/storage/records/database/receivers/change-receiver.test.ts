import {
  applyDeclaredReceivers,
  countHeld,
  deleteReceiver,
  findReceiver,
  listAudit,
  openReceiver,
  rotateSigningSecret,
  updateReceiver,
} from '@floe/storage/database'
import type { Receiver, ReceiverChange } from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { at, by, claim, finish, moveHead, repositoryWith, setEnabled, summary, webhook } from '../recorded.ts'
import { create, nameOutcomes, newWebhook, optionsAt, update } from './edit-receivers.ts'

const test = await testOnEngines(t)

test('a change leaves other members as they are and increments the version', async (t, { db }) => {
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
  t.equal(same.audit, undefined)
})

test('a new scheme, host, port or path removes the secret token, unless the change brings one', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const cases: [path: string, token: string | null, change?: ReceiverChange][] = [
    ['one.example.org:443/hook?x=1', 'open sesame'],
    ['one.example.org:443/other', null],
    ['one.example.org:443/hook/', null],
    ['one.example.org:443/again', 'new', { secretToken: 'new' }],
    ['one.example.org:8443/hook', null],
    ['two.example.org:443/hook', null],
    ['three.example.org:443/', 'new', { secretToken: 'new' }],
    ['four.example.org:443/', null, { secretToken: null }],
  ]
  for (const [path, token, change = {}] of cases) {
    const { receiver } = await create(db, repoId, { alias: path })
    const changed = await update(db, receiver, { url: `https://${path}`, ...change })
    t.equal(changed.receiver.origin, path.replace(/\/.*/, ''))
    t.equal(openReceiver(changed.receiver, secrets, at(1)).secretToken, token, path)
    t.equal('secretToken' in changed.dropped, token === null && change.secretToken === undefined, path)
  }
})

test('the headers go with the secret token when the URL changes, and a change replaces them all', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const headers = { Authorization: 'Bearer hush', 'x-functions-key': 'hush-hush' }
  const { receiver } = await create(db, repoId, { headers })
  t.notMatch(JSON.stringify(receiver), 'hush', 'they are sealed')
  t.strictSame(openReceiver(receiver, secrets, at(0)).headers, headers)
  t.match(await update(db, receiver, { headers: { ...headers } }), { audit: undefined }, 'the same values')
  const moved = await update(db, receiver, { url: 'https://one.example.org/other' })
  t.strictSame(moved.dropped, { secretToken: null, headers: {} })
  t.match(openReceiver(moved.receiver, secrets, at(1)), { secretToken: null, headers: {} })
  const again = await update(db, receiver, { url: 'https://two.example.org/', headers }, 2)
  t.strictSame(again.dropped, {})
  t.strictSame(openReceiver(again.receiver, secrets, at(2)).headers, headers)
  const replaced = await update(db, receiver, { headers: { Authorization: 'Bearer new' } }, 3)
  t.strictSame(openReceiver(replaced.receiver, secrets, at(3)).headers, { Authorization: 'Bearer new' })
  t.match(replaced.audit, {
    before: { header_names: ['Authorization', 'x-functions-key'] },
    after: { header_names: ['Authorization'], replaced: ['headers'] },
  })
  t.notMatch(JSON.stringify(await listAudit(db, { repoId, limit: 9 })), 'hush')
})

test('only one of two changes of the same version succeeds', async (t, { db, connect }) => {
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

test('a missing receiver cannot be changed', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const { receiver } = await create(db, repoId)
  for (const [address, owner] of [
    [{ ...receiver, id: 'none' }, 'repository'],
    [{ ...receiver, repoId: 'of another' }, 'repository'],
    [{ ...receiver, repoId: null }, 'organisation'],
  ] as const) {
    const refusal = {
      name: 'ReceiverNotFoundError',
      message: `The ${owner} has no webhook or chat with the id ${address.id}`,
    }
    await t.rejects(updateReceiver(db, address, { alias: 'x' }, optionsAt(1)), refusal)
    await t.rejects(rotateSigningSecret(db, address, optionsAt(1)), refusal)
    await t.rejects(deleteReceiver(db, address, optionsAt(1)), refusal)
  }
  t.strictSame(await findReceiver(db, receiver), receiver)
})

test('a declared receiver can be enabled and disabled, but neither changed nor deleted', async (t, { db }) => {
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
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('one')], { secrets, now: at(2) })
  t.strictSame(await findReceiver(db, declared), receiver, 'it stays so at the next start')
  t.match(await rotateSigningSecret(db, declared, optionsAt(3)), { signingSecret: /^whsec_/ })
})

test('the deliveries of a disabled receiver are held and counted', async (t, { db }) => {
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

test('a change that states what is so already changes nothing', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const { receiver: hook } = await create(db, repoId)
  const url = 'https://hooks.slack.com/services/hush'
  const slack = { kind: 'chat', alias: 'two', url, service: 'slack', secretToken: null } as const
  const { receiver: chat } = await create(db, repoId, slack)
  const { repoId: _repoId, kind: _kind, ...same } = newWebhook(repoId)
  const changes: [Receiver, ReceiverChange][] = [
    [hook, {}],
    [hook, { resume: 'all' }],
    [hook, same],
    [hook, { secretToken: 'open sesame' }],
    [chat, { url, service: 'slack', alias: 'two', secretToken: null, isEnabled: true }],
  ]
  for (const [receiver, change] of changes) {
    t.match(await update(db, receiver, change), { receiver, dropped: {}, audit: undefined })
    t.strictSame(await findReceiver(db, receiver), receiver)
  }
  await t.rejects(updateReceiver(db, hook, {}, { ...optionsAt(2), versions: [9] }), { name: 'ReceiverChangedError' })
  t.equal((await listAudit(db, { repoId, limit: 9 })).length, 2, 'only what was added is told')
  for (const change of [{ isEnabled: false }, { url: `${url}?v=2` }, { secretToken: 'another' }, { events: [] }]) {
    const receiver = (await findReceiver(db, hook)) ?? hook
    t.match(await update(db, receiver, change), { receiver: { version: receiver.version + 1 }, audit: {} })
  }
  const disabled = (await findReceiver(db, hook)) ?? hook
  t.match(await update(db, disabled, { isEnabled: false }), { receiver: disabled, audit: undefined })
})

test('each change writes its audit entry in the same transaction', async (t, { db }) => {
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

test('a replaced signing secret goes on signing for 24 hours', async (t, { db }) => {
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

test('a declared signing secret can only be changed in the file', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one', { signingSecret: 'whsec_first' })])
  const declared = receivers.get('one')
  if (declared === undefined) throw new Error('it was not declared')
  await t.rejects(rotateSigningSecret(db, declared, optionsAt(1)), { name: 'DeclaredInFileError' })
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('one')], { secrets, now: at(2) })
  const rotated = await rotateSigningSecret(db, declared, optionsAt(3))
  t.strictSame(openReceiver(rotated.receiver, secrets, at(4)).signingSecrets, [rotated.signingSecret, 'whsec_first'])
})
