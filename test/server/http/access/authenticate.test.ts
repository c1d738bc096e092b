import { type ApiKeyGrant, createApiKey, openDatabase, readApiKey, revokeApiKey } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { Authenticator } from '../../../../server/http/access/authenticate.ts'
import { FailedLogins } from '../../../../server/http/access/failed-logins.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { basic } from '../../start-server.ts'

const reader = { org: 'acme', role: 'reader', repos: null } as const

/** As many authenticators as replicas, of which each has its own memory. */
async function startReplicas(t: Test) {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const timing = new ManualTiming()
  const warnings: unknown[] = []
  const faults = { note: (...told: unknown[]) => void warnings.push(told) }
  const makeReplica = () => {
    const authenticator = new Authenticator({
      db,
      failedLogins: new FailedLogins(timing),
      serves: () => true,
      tokens: undefined,
      timing,
      faults,
    })
    return (authorization: string, org = 'acme') =>
      authenticator.authenticate(org, { ip: '192.0.2.1', originalUrl: '/', headers: { authorization } })
  }
  const makeKey = async (grant: ApiKeyGrant = reader) => {
    const text = await createApiKey(db, grant, new Date(timing.now()))
    return { text, id: text.slice(5, 21) }
  }
  return { db, timing, warnings, newReplica: makeReplica, newKey: makeKey }
}

// Proves: HTTP Basic, with the organisation as user name and an API key as password
t.test('a key is taken as Basic password of its organisation, and as Bearer', async (t) => {
  const { newReplica, newKey } = await startReplicas(t)
  const authenticate = newReplica()
  const { text, id } = await newKey()
  for (const authorization of [basic('acme', text), `Bearer ${text}`, `bearer  ${text}`]) {
    t.match(await authenticate(authorization), { id, org: 'acme' }, authorization)
  }
  for (const authorization of [basic('other', text), `Bearer ${text} x`, `Token ${text}`, text, 'Bearer', '']) {
    await t.rejects(authenticate(authorization), { code: 'unauthorized' }, authorization)
  }
  await t.rejects(authenticate(`Bearer ${text}`, 'other'), { code: 'unauthorized' }, 'of another organisation')
  await t.rejects(authenticate(basic('other', text), 'other'), { code: 'unauthorized' })
})

t.test('a revoked key stops working within a second on every replica', async (t) => {
  const { db, timing, newReplica, newKey } = await startReplicas(t)
  const { text, id } = await newKey()
  const authenticators = [newReplica(), newReplica()]
  for (const authenticate of authenticators) await authenticate(`Bearer ${text}`)
  await revokeApiKey(db, id, { now: new Date(timing.now()), keepsDescendants: false })
  await timing.pass(1_001)
  for (const authenticate of authenticators) {
    await t.rejects(authenticate(`Bearer ${text}`), { code: 'unauthorized' })
  }
})

t.test('a key that was just found valid still expires on time', async (t) => {
  const { timing, newReplica, newKey } = await startReplicas(t)
  const authenticate = newReplica()
  const { text } = await newKey({ ...reader, expiresAt: new Date(timing.now() + 500) })
  await authenticate(`Bearer ${text}`)
  await timing.pass(499, 499)
  await authenticate(`Bearer ${text}`)
  await timing.pass(1)
  await t.rejects(authenticate(`Bearer ${text}`), { code: 'unauthorized' })
})

t.test('the last use of a key is noted once a minute', async (t) => {
  const { db, timing, newReplica, newKey } = await startReplicas(t)
  const authenticate = newReplica()
  const { text, id } = await newKey()
  const start = timing.now()
  const readLastUse = async () => (await readApiKey(db, id))?.lastUsedAt?.getTime()
  await authenticate(`Bearer ${text}`)
  t.equal(await readLastUse(), start)
  await timing.pass(59_000, 59_000)
  await authenticate(`Bearer ${text}`)
  t.equal(await readLastUse(), start)
  await timing.pass(1_001, 1_001)
  await authenticate(`Bearer ${text}`)
  t.equal(await readLastUse(), start + 60_001)
})

t.test('a use that cannot be noted has a line in the log, and is no failure', async (t) => {
  const { db, timing, warnings, newReplica, newKey } = await startReplicas(t)
  const { text, id } = await newKey()
  await db.schema.alterTable('api_keys').renameColumn('last_used_at', 'gone').execute()
  const authenticate = newReplica()
  t.match(await authenticate(`Bearer ${text}`), { org: 'acme' })
  await timing.pass(100)
  t.match(warnings, [[Error, 'the last use of a key could not be recorded', { key: id }]])
  t.notMatch(JSON.stringify(warnings), text.slice(22), 'the log has no secret')
})

t.test('requests that begin within a second share the look-up of their key', async (t) => {
  const { db, timing, newKey } = await startReplicas(t)
  const { text } = await newKey()
  let lookUps = 0
  const held = Promise.withResolvers<void>()
  const slow = db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'SelectQueryNode') lookUps++
      return node
    },
    transformResult: async ({ result }) => {
      await held.promise
      return result
    },
  })
  const failedLogins = new FailedLogins(timing)
  const authenticator = new Authenticator({
    db: slow,
    failedLogins,
    serves: () => true,
    tokens: undefined,
    timing,
    faults: { note: () => {} },
  })
  const find = () =>
    authenticator.find('acme', { ip: '192.0.2.1', originalUrl: '/', headers: { authorization: `Bearer ${text}` } })
  const early = [find(), find()]
  t.equal(lookUps, 1)
  await timing.pass(1_001, 1_001)
  const late = find()
  t.equal(lookUps, 2, 'the key may have been revoked meanwhile')
  held.resolve()
  for (const found of [...early, late]) t.match(await found, { org: 'acme' })
})
