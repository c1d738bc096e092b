import { createHash } from 'node:crypto'
import {
  applyDeclaredApiKeys,
  createApiKey,
  createAuditedApiKey,
  type Database,
  type DeclaredApiKey,
  findApiKey,
  listApiKeys,
  maxApiKeys,
  revokeApiKey,
  transact,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'

const now = new Date('2026-11-21T12:00:00Z')

/** A key that a configuration file declares, and its text. */
function declared(digit: string): { readonly text: string; readonly key: DeclaredApiKey } {
  const text = `floe_${digit.repeat(16)}_${digit.repeat(43)}`
  const sha256 = createHash('sha256').update(text).digest()
  const key = { id: digit.repeat(16), org: 'acme', name: null, role: 'admin', repos: null, expiresAt: null } as const
  return { text, key: { ...key, sha256, isBootstrap: false } }
}

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
  t.equal(await createAuditedApiKey(db, grant, { by: { id: first, org: 'acme', name: null }, now }), undefined)
  t.strictSame(await listValid(db), [beside])
})

test('an organisation has a limited number of keys, those included that have ended', async (t, { db }) => {
  const maker = await makeKey(db, null)
  const row = await db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
  for (let first = 1; first < maxApiKeys; first += 1_000) {
    const count = Math.min(1_000, maxApiKeys - first)
    const copies = Array.from({ length: count }, (_, index) => ({ ...row, id: `${first + index}`, revoked_at: 1 }))
    await db.insertInto('api_keys').values(copies).execute()
  }
  const grant = { role: 'reader', repos: null } as const
  const options = { by: { id: maker, org: 'acme', name: null }, now }
  await t.rejects(createAuditedApiKey(db, grant, options), { code: 'too-many-keys' })
  await db.deleteFrom('api_keys').where('id', '=', '1').execute()
  t.match(await createAuditedApiKey(db, grant, options), { key: { createdBy: maker } })
  const elsewhere = await createApiKey(db, { org: 'other', role: 'admin', repos: null }, now)
  const other = { by: { id: elsewhere.slice(5, 21), org: 'other', name: null }, now }
  t.match(await createAuditedApiKey(db, grant, other), { key: { org: 'other' } })
})

test('a key that is made while its maker is revoked does not survive', async (t, { db, connect }) => {
  const other = await connect()
  const grant = { role: 'admin', repos: null } as const
  for (let round = 0; round < 5; round++) {
    const first = await makeKey(db, null)
    await Promise.all([
      ...Array.from({ length: 4 }, () =>
        createAuditedApiKey(other, grant, { by: { id: first, org: 'acme', name: null }, now }),
      ),
      transact(db, (tx) => revokeApiKey(tx, first, { now, keepsDescendants: false })),
    ])
    t.strictSame(await listValid(db), [])
  }
})

test('a declared key that is removed takes the keys that were made with it', async (t, { db }) => {
  const { key } = declared('1')
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
  const key = { ...declared('1').key, isBootstrap: true }
  await applyDeclaredApiKeys(db, [key], now)
  const child = await makeKey(db, key.id)
  await applyDeclaredApiKeys(db, [], now)
  t.strictSame(await listValid(db), [child])
})

test('declared keys are valid, and applying them again changes nothing', async (t, { db }) => {
  const [one, two] = [declared('1'), declared('2')]
  const keys = [one.key, { ...two.key, role: 'reader', repos: ['weather'], expiresAt: new Date('2030-01-01') }] as const
  await applyDeclaredApiKeys(db, keys, now)
  t.match(await findApiKey(db, one.text, now), { org: 'acme', role: 'admin', repos: null, isDeclared: true })
  t.match(await findApiKey(db, two.text, now), {
    role: 'reader',
    repos: ['weather'],
    expiresAt: new Date('2030-01-01'),
  })
  const before = await listApiKeys(db, 'acme')
  await applyDeclaredApiKeys(db, keys, new Date('2027-01-01'))
  t.strictSame(await listApiKeys(db, 'acme'), before)
})

test('a declaration that changes is followed, one that goes is revoked, one that returns is valid', async (t, {
  db,
}) => {
  const [one, two] = [declared('1'), declared('2')]
  const made = await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, now)
  await applyDeclaredApiKeys(db, [one.key, two.key], now)
  await applyDeclaredApiKeys(db, [{ ...two.key, role: 'reader' }], now)
  t.equal(await findApiKey(db, one.text, now), undefined)
  t.match(await findApiKey(db, two.text, now), { role: 'reader' })
  await applyDeclaredApiKeys(db, [], now)
  t.equal(await findApiKey(db, two.text, now), undefined)
  t.ok(await findApiKey(db, made, now), 'keys that were made otherwise stay')
  await applyDeclaredApiKeys(db, [one.key], now)
  t.ok(await findApiKey(db, one.text, now))
})

test('processes that start together do not hinder each other', async (t, { db, connect }) => {
  const keys = Array.from({ length: 16 }, (_, digit) => declared(digit.toString(16)).key)
  const other = await connect()
  await Promise.all([applyDeclaredApiKeys(db, keys, now), applyDeclaredApiKeys(other, keys.toReversed(), now)])
  t.strictSame(new Set(await listValid(db)), new Set(keys.map(({ id }) => id)))
})
