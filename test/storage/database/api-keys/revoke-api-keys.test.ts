import {
  applyDeclaredApiKeys,
  createApiKey,
  createAuditedApiKey,
  type Database,
  listApiKeys,
  maxApiKeys,
  revokeApiKey,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { sampleDeclaredKey } from './sample-declared-key.ts'

const now = new Date('2026-11-21T12:00:00Z')

/** Makes an administrator's key with another one; null for the first. */
async function makeKey(db: Database, createdBy: string | null): Promise<string> {
  const text = await createApiKey(db, { org: 'acme', role: 'admin', repos: null, createdBy }, now)
  return text.slice(5, 21)
}

/** Ids of the keys that are valid. */
async function listValid(db: Database): Promise<string[]> {
  const keys = await listApiKeys(db, 'acme')
  return keys.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)
}

/** first <- child <- grandchild, and one beside them. */
async function makeFamily(db: Database) {
  const first = await makeKey(db, null)
  const child = await makeKey(db, first)
  const grandchild = await makeKey(db, child)
  return { first, child, grandchild, beside: await makeKey(db, null) }
}

const test = await testOnEngines(t)

test('a revoked key takes the keys that were made with it, over all generations', async (t, { db }) => {
  const { first, child, grandchild, beside } = await makeFamily(db)
  const revoked = await revokeApiKey(db, first, { now, keepsDescendants: false })
  t.same(new Set(revoked.map(({ id }) => id)), new Set([first, child, grandchild]))
  t.strictSame(await listValid(db), [beside])
})

test('keys that were made with a revoked key can be kept, and revoked later', async (t, { db }) => {
  const { first, child, grandchild, beside } = await makeFamily(db)
  const revoked = await revokeApiKey(db, child, { now, keepsDescendants: true })
  t.strictSame(
    revoked.map(({ id }) => id),
    [child],
  )
  t.same(new Set(await listValid(db)), new Set([first, grandchild, beside]))
  t.match(await revokeApiKey(db, child, { now, keepsDescendants: false }), [{ id: grandchild }])
  t.same(new Set(await listValid(db)), new Set([first, beside]))
})

test('a key that was revoked meanwhile makes no key', async (t, { db }) => {
  const { first, beside } = await makeFamily(db)
  await revokeApiKey(db, first, { now, keepsDescendants: false })
  const grant = { role: 'admin', repos: null } as const
  t.equal(await createAuditedApiKey(db, grant, { by: { id: first, org: 'acme' }, now }), undefined)
  t.strictSame(await listValid(db), [beside])
})

test('an organisation has a limited number of keys, those included that have ended', async (t, { db }) => {
  const maker = await makeKey(db, null)
  const row = await db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
  for (let first = 1; first < maxApiKeys; first += 1_000) {
    const count = Math.min(1_000, maxApiKeys - first)
    const copies = Array.from({ length: count }, (_, index) => ({ ...row, id: `${first + index}`, revoked_at: 'then' }))
    await db.insertInto('api_keys').values(copies).execute()
  }
  const grant = { role: 'reader', repos: null } as const
  const options = { by: { id: maker, org: 'acme' }, now }
  await t.rejects(createAuditedApiKey(db, grant, options), { name: 'TooManyApiKeysError' })
  await db.deleteFrom('api_keys').where('id', '=', '1').execute()
  t.match(await createAuditedApiKey(db, grant, options), { key: { createdBy: maker } })
  const elsewhere = await createApiKey(db, { org: 'other', role: 'admin', repos: null }, now)
  const other = { by: { id: elsewhere.slice(5, 21), org: 'other' }, now }
  t.match(await createAuditedApiKey(db, grant, other), { key: { org: 'other' } })
})

test('a key that is made while its maker is revoked does not survive', async (t, { db, connect }) => {
  const other = await connect()
  const grant = { role: 'admin', repos: null } as const
  for (let round = 0; round < 5; round++) {
    const first = await makeKey(db, null)
    await Promise.all([
      ...Array.from({ length: 4 }, () => createAuditedApiKey(other, grant, { by: { id: first, org: 'acme' }, now })),
      db.transaction().execute((tx) => revokeApiKey(tx, first, { now, keepsDescendants: false })),
    ])
    t.strictSame(await listValid(db), [])
  }
})

test('a declared key that is removed takes the keys that were made with it', async (t, { db }) => {
  const key = sampleDeclaredKey
  const { id } = key
  await applyDeclaredApiKeys(db, [key], now)
  const child = await makeKey(db, id)
  await applyDeclaredApiKeys(db, [{ ...key, expiresAt: now }], now)
  t.same(new Set(await listValid(db)), new Set([id, child]), 'one that expires keeps them')
  await applyDeclaredApiKeys(db, [], now)
  t.strictSame(await listValid(db), [])
  await applyDeclaredApiKeys(db, [key], now)
  t.strictSame(await listValid(db), [id], 'one that returns comes alone')
})

test('the bootstrap key leaves the keys that were made with it when it is removed', async (t, { db }) => {
  const key = { ...sampleDeclaredKey, isBootstrap: true }
  await applyDeclaredApiKeys(db, [key], now)
  const child = await makeKey(db, key.id)
  await applyDeclaredApiKeys(db, [], now)
  t.strictSame(await listValid(db), [child])
})
