import {
  applyDeclaredConfigurations,
  countHeld,
  createConfiguration,
  deleteConfiguration,
  findConfiguration,
  listAudit,
  listConfigurations,
  maxConfigurations,
  openReceiver,
  rememberRepository,
  rotateSigningSecret,
  updateConfiguration,
} from '@floe/storage/database'
import type { AuditOf, Configuration, ConfigurationChange, Database, NewConfiguration } from '@floe/storage/database'
import t from 'tap'
import { secrets } from '../../sample-secrets.ts'
import { reachableEngines } from '../engines.ts'
import { at, auditEntry, claim, finish, moveHead, repositoryWith, setEnabled, summary, webhook } from '../recorded.ts'

/** Tells the audit the aliases. */
const auditOf: AuditOf<Configuration> = (before, after) => {
  const { repoId = '', id = null } = after ?? before ?? {}
  const told = { subjectId: id, before: before && { alias: before.alias }, after: after && { alias: after.alias } }
  return auditEntry(repoId, { action: 'webhook.change', ...told })
}
const optionsAt = (ms: number) => ({ secrets, auditOf, now: at(ms) })

/** Adds a webhook, or what `changes` make of it; must succeed. */
async function create(db: Database, repoId: string, changes: Partial<NewConfiguration> = {}, ms = 0) {
  const result = await createConfiguration(db, { ...newWebhook(repoId), ...changes }, optionsAt(ms))
  if (result.kind !== 'created') throw new Error(result.kind)
  return result
}

function newWebhook(repoId: string, alias = 'one'): NewConfiguration {
  const url = `https://${alias}.example.org/hook`
  const receiver = { kind: 'webhook', alias, url, service: null, events: ['NewCommit'] } as const
  return { repoId, ...receiver, secretToken: 'open sesame', isEnabled: true }
}

/** Changes a configuration; must succeed. */
async function update(db: Database, configuration: Configuration, change: ConfigurationChange, ms = 1) {
  const result = await updateConfiguration(db, configuration, change, optionsAt(ms))
  if (result.kind !== 'updated') throw new Error(result.kind)
  return result
}

for (const engine of await reachableEngines(t)) {
  t.test(`${engine.name}: what is added is found by its address, with its secrets sealed`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration, signingSecret } = await create(db, repoId)
    t.match(configuration, { origin: 'one.example.org:443', isDeclared: false, isEnabled: true, version: 1 })
    t.strictSame(await findConfiguration(db, configuration), configuration)
    t.equal(await findConfiguration(db, { ...configuration, kind: 'chat' }), undefined)
    t.equal(await findConfiguration(db, { ...configuration, repoId: 'of another' }), undefined)
    t.strictSame(openReceiver(configuration, secrets, at(0)), {
      kind: 'webhook',
      url: 'https://one.example.org/hook',
      service: null,
      secretToken: 'open sesame',
      signingSecrets: [signingSecret],
    })
    const url = 'https://hooks.slack.com/services/hush'
    const chat = await create(db, repoId, { kind: 'chat', alias: 'two', url, service: 'slack', secretToken: null })
    t.match(chat, { signingSecret: null, configuration: { origin: 'hooks.slack.com:443', signingSecrets: [] } })
    t.match(openReceiver(chat.configuration, secrets, at(0)), { url, service: 'slack', signingSecrets: [] })
  })

  t.test(`${engine.name}: sealed secrets that were moved to another row are refused`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration } = await create(db, repoId)
    const { secretToken } = configuration
    const other = (await create(db, repoId, { alias: 'two' })).configuration
    t.throws(() => openReceiver({ ...other, secretToken }, secrets, at(0)), { name: 'SecretError' })
    const { signingSecrets } = configuration
    t.throws(() => openReceiver({ ...other, signingSecrets }, secrets, at(0)), { name: 'SecretError' })
  })

  t.test(`${engine.name}: an alias is taken once in a repository, by whatever kind`, async (t) => {
    const { db, connect } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const processes = [db, await connect(), await connect()]
    const results = await Promise.all(
      processes.map((one) => createConfiguration(one, newWebhook(repoId), optionsAt(0))),
    )
    t.strictSame(results.map(({ kind }) => kind).toSorted(), ['alias-in-use', 'alias-in-use', 'created'])
    const chat = { ...newWebhook(repoId), kind: 'chat', service: 'slack', secretToken: null } as const
    t.strictSame(await createConfiguration(db, chat, optionsAt(0)), { kind: 'alias-in-use' })
    const { configuration } = await create(db, repoId, { alias: 'two' })
    const taken = await updateConfiguration(db, configuration, { alias: 'one' }, optionsAt(1))
    t.strictSame(taken, { kind: 'alias-in-use' })
    t.strictSame(await findConfiguration(db, configuration), configuration, 'it is as it was')
    const elsewhere = await rememberRepository(db, 'acme', 'elsewhere', at(0))
    await create(db, elsewhere)
    t.equal((await listAudit(db, { repoId, limit: 9 })).length, 2, 'what was refused is not told')
  })

  t.test(
    `${engine.name}: a repository has no more than ${maxConfigurations}, however many are added at once`,
    async (t) => {
      const { db, connect } = await engine.fresh(t)
      const { repoId } = await repositoryWith(db, [webhook('declared')])
      const processes = [db, await connect(), await connect()]
      const results = await Promise.all(
        Array.from({ length: maxConfigurations + 5 }, (_, index) =>
          createConfiguration(processes[index % 3] ?? db, newWebhook(repoId, `hook${index}`), optionsAt(0)),
        ),
      )
      t.equal(results.filter(({ kind }) => kind === 'created').length, maxConfigurations - 1)
      t.equal(results.filter(({ kind }) => kind === 'too-many').length, 6)
      t.equal((await listConfigurations(db, repoId)).length, maxConfigurations)
    },
  )

  t.test(`${engine.name}: a change leaves the rest as it is, and counts the version up`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration } = await create(db, repoId)
    const renamed = await update(db, configuration, { alias: 'other', url: undefined })
    t.strictSame(renamed.configuration, { ...configuration, alias: 'other', version: 2, updatedAt: at(1) })
    t.strictSame(await findConfiguration(db, configuration), renamed.configuration)
    const silent = await update(db, configuration, { secretToken: null }, 2)
    t.strictSame(silent.configuration, { ...renamed.configuration, secretToken: null, version: 3, updatedAt: at(2) })
    const loud = await update(db, configuration, { secretToken: 'another' }, 3)
    t.equal(openReceiver(loud.configuration, secrets, at(3)).secretToken, 'another')
  })

  t.test(
    `${engine.name}: another scheme, host, port or path takes the secret token away unless it is sent again`,
    async (t) => {
      const { db } = await engine.fresh(t)
      const { repoId } = await repositoryWith(db, [])
      const tokenAt = async (url: string, change: ConfigurationChange = {}) => {
        const { configuration } = await create(db, repoId, { alias: url })
        const changed = await update(db, configuration, { url, ...change })
        const { secretToken } = openReceiver(changed.configuration, secrets, at(1))
        return [changed.configuration.origin, secretToken, changed.hasDroppedSecretToken]
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
    const { configuration } = await create(db, repoId)
    const processes = [db, await connect()]
    const results = await Promise.all(
      processes.map((one, index) =>
        updateConfiguration(one, configuration, { alias: `a${index}` }, { ...optionsAt(1), versions: [1] }),
      ),
    )
    t.strictSame(results.map(({ kind }) => kind).toSorted(), ['outdated', 'updated'])
    const stale = { ...optionsAt(2), versions: [1, 7] }
    t.strictSame(await deleteConfiguration(db, configuration, stale), { kind: 'outdated' })
    await moveHead(db, repoId, ['A'], at(2))
    await finish(db, await claim(db, at(3)), { kind: 'gone', disableReason: 'answered 410' }, at(4))
    t.match(
      await findConfiguration(db, configuration),
      { version: 3, isEnabled: false },
      'so is one before it was disabled',
    )
    const fresh = { ...optionsAt(5), versions: [3] }
    t.strictSame(await deleteConfiguration(db, configuration, fresh), { kind: 'deleted' })
  })

  t.test(`${engine.name}: what is not there cannot be changed`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration } = await create(db, repoId)
    for (const address of [
      { ...configuration, id: 'none' },
      { ...configuration, repoId: 'of another' },
      { ...configuration, kind: 'chat' as const },
    ]) {
      t.strictSame(await updateConfiguration(db, address, { alias: 'x' }, optionsAt(1)), { kind: 'unknown' })
      t.strictSame(await rotateSigningSecret(db, address, optionsAt(1)), { kind: 'unknown' })
      t.strictSame(await deleteConfiguration(db, address, optionsAt(1)), { kind: 'unknown' })
    }
    t.strictSame(await findConfiguration(db, configuration), configuration)
  })

  t.test(`${engine.name}: a declared one is enabled and disabled, and neither changed nor deleted`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId, configurations } = await repositoryWith(db, [webhook('one')])
    const declared = configurations.get('one')
    if (declared === undefined) throw new Error('it was not declared')
    t.strictSame(await updateConfiguration(db, declared, { alias: 'x' }, optionsAt(1)), { kind: 'declared' })
    const both = { isEnabled: false, secretToken: null }
    t.strictSame(await updateConfiguration(db, declared, both, optionsAt(1)), { kind: 'declared' })
    t.strictSame(await deleteConfiguration(db, declared, optionsAt(1)), { kind: 'declared' })
    const { configuration } = await update(db, declared, { isEnabled: false })
    t.match(configuration, { isEnabled: false, disabledReason: 'disabled by an administrator', version: 2 })
    await applyDeclaredConfigurations(db, repoId, [webhook('one')], { secrets, now: at(2) })
    t.strictSame(await findConfiguration(db, declared), configuration, 'it stays so at the next start')
    t.equal((await rotateSigningSecret(db, declared, optionsAt(3))).kind, 'rotated')
  })

  t.test(`${engine.name}: while it is disabled its deliveries are held, and counted`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration } = await create(db, repoId)
    const other = (await create(db, repoId, { alias: 'two' })).configuration
    await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
    await finish(db, await claim(db, at(2)), { kind: 'delivered' }, at(3))
    await setEnabled(db, configuration, false, at(4))
    t.strictSame(summary(await claim(db, at(5))), ['two B'])
    const held = await countHeld(db, [configuration.id, other.id])
    t.strictSame([...held], [[configuration.id, 2]])
    t.strictSame(await countHeld(db, []), new Map())
    await update(db, configuration, { isEnabled: true, url: 'https://new.example.org/' }, 6)
    const [next] = await claim(db, at(7))
    t.match(next, { origin: 'new.example.org:443', event: { payload: '{"to":"C"}' } }, 'the latest, unless it is said')
    t.strictSame(await countHeld(db, [configuration.id]), new Map())
  })

  t.test(`${engine.name}: one that is added disabled gets nothing until it is enabled`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration } = await create(db, repoId, { isEnabled: false })
    t.match(configuration, { isEnabled: false, disabledReason: 'disabled by an administrator' })
    await moveHead(db, repoId, ['A'], at(1))
    await setEnabled(db, configuration, true, at(2))
    await moveHead(db, repoId, ['B'], at(3))
    t.strictSame(summary(await claim(db, at(4))), ['one B'])
  })

  t.test(`${engine.name}: deleting takes its deliveries along, also the one under way`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration } = await create(db, repoId)
    await moveHead(db, repoId, ['A', 'B'], at(1))
    const underWay = await claim(db, at(2))
    t.strictSame(await deleteConfiguration(db, configuration, optionsAt(3)), { kind: 'deleted' })
    t.strictSame(await db.selectFrom('deliveries').selectAll().execute(), [])
    t.equal((await finish(db, underWay, { kind: 'delivered' }, at(4))).length, 1)
    t.equal(await findConfiguration(db, configuration), undefined)
  })

  t.test(`${engine.name}: a signing secret that was replaced signs for 24 hours more`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration, signingSecret } = await create(db, repoId)
    const rotateAt = async (ms: number) => {
      const result = await rotateSigningSecret(db, configuration, optionsAt(ms))
      if (result.kind !== 'rotated') throw new Error(result.kind)
      return result
    }
    const signingAt = async (ms: number) => {
      const present = await findConfiguration(db, configuration)
      return present && openReceiver(present, secrets, at(ms)).signingSecrets
    }
    const day = 86_400_000
    const first = await rotateAt(10)
    t.match(first.signingSecret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    t.equal(first.configuration.version, 2)
    t.strictSame(await signingAt(day + 9), [first.signingSecret, signingSecret])
    t.strictSame(await signingAt(day + 10), [first.signingSecret])
    const second = await rotateAt(day + 20)
    t.equal(second.configuration.signingSecrets.length, 2, 'what has ended is forgotten')
    const later: string[] = []
    for (let n = 1; n <= 9; n++) later.unshift((await rotateAt(day + 20 + n)).signingSecret)
    t.strictSame(await signingAt(day + 30), later.slice(0, 4), 'no more than three that were replaced')
  })

  t.test(`${engine.name}: a webhook is added with the signing secret that it is given`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const { configuration, signingSecret } = await create(db, repoId, { signingSecret: given })
    t.equal(signingSecret, given)
    t.strictSame(openReceiver(configuration, secrets, at(0)).signingSecrets, [given])
    t.notMatch(JSON.stringify(await findConfiguration(db, configuration)), given)
  })

  t.test(`${engine.name}: a signing secret that the file declares is changed there alone`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId, configurations } = await repositoryWith(db, [webhook('one', { signingSecret: 'whsec_first' })])
    const declared = configurations.get('one')
    if (declared === undefined) throw new Error('it was not declared')
    t.strictSame(await rotateSigningSecret(db, declared, optionsAt(1)), { kind: 'declared' })
    await applyDeclaredConfigurations(db, repoId, [webhook('one')], { secrets, now: at(2) })
    const rotated = await rotateSigningSecret(db, declared, optionsAt(3))
    if (rotated.kind !== 'rotated') throw new Error(rotated.kind)
    t.strictSame(openReceiver(rotated.configuration, secrets, at(4)).signingSecrets, [
      rotated.signingSecret,
      'whsec_first',
    ])
  })

  t.test(`${engine.name}: each change is told in the audit, in its own transaction`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    const { configuration } = await create(db, repoId)
    await update(db, configuration, { alias: 'other' }, 1)
    await rotateSigningSecret(db, configuration, optionsAt(2))
    const failing = { ...optionsAt(3), auditOf: () => ({ ...auditEntry(repoId), keyId: null as never }) }
    await t.rejects(deleteConfiguration(db, configuration, failing), /null/i)
    await deleteConfiguration(db, configuration, optionsAt(4))
    const told = await listAudit(db, { repoId, limit: 9 })
    t.strictSame(
      told.map((entry) => [entry.at, entry.before, entry.after]),
      [
        [at(4), { alias: 'other' }, null],
        [at(2), { alias: 'other' }, { alias: 'other' }],
        [at(1), { alias: 'one' }, { alias: 'other' }],
        [at(0), null, { alias: 'one' }],
      ],
      'what could not be told was not done',
    )
    t.ok(told.every(({ subjectId }) => subjectId === configuration.id))
  })
}
