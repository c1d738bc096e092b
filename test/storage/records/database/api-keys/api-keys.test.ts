import { createHash } from 'node:crypto'
import {
  createApiKey,
  findApiKey,
  identifyApiKey,
  listApiKeys,
  listNewestApiKeys,
  readApiKey,
  recordApiKeyUse,
  revokeApiKey,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'

const noon = new Date('2026-11-21T12:00:00.123Z')
const later = (ms: number) => new Date(noon.getTime() + ms)
const reader = { org: 'acme', role: 'reader', repos: null } as const

const test = await testOnEngines(t)

test('a key is found by its text until it is revoked', async (t, { db }) => {
  const text = await createApiKey(db, { org: 'acme', name: 'Bärbel', role: 'admin', repos: ['weather', 'ü'] }, noon)
  const key = await findApiKey(db, text, noon)
  t.strictSame(key, {
    id: text.slice(5, 21),
    org: 'acme',
    name: 'Bärbel',
    role: 'admin',
    repos: ['weather', 'ü'],
    isDeclared: false,
    createdAt: noon,
    createdBy: null,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  })
  t.equal(await findApiKey(db, `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`, noon), undefined)
  t.match(await revokeApiKey(db, key?.id ?? '', { now: later(1), keepsDescendants: false }), [
    { id: text.slice(5, 21) },
  ])
  t.strictSame(await revokeApiKey(db, key?.id ?? '', { now: later(2), keepsDescendants: false }), [], 'only once')
  t.equal(await findApiKey(db, text, noon), undefined)
  t.match(await readApiKey(db, key?.id ?? ''), { revokedAt: later(1) }, 'its record stays')
})

test('a key is found until it expires', async (t, { db }) => {
  const text = await createApiKey(db, { ...reader, expiresAt: later(1_000), createdBy: '0123456789abcdef' }, noon)
  t.match(await findApiKey(db, text, later(999)), { expiresAt: later(1_000), createdBy: '0123456789abcdef' })
  t.equal(await findApiKey(db, text, later(1_000)), undefined)
})

test('the use of a key is written at most once a minute', async (t, { db }) => {
  const { id = '' } = identifyApiKey(await createApiKey(db, reader, noon)) ?? {}
  const lastUse = async () => (await readApiKey(db, id))?.lastUsedAt
  await recordApiKeyUse(db, id, later(0))
  t.strictSame(await lastUse(), later(0))
  await recordApiKeyUse(db, id, later(59_999))
  t.strictSame(await lastUse(), later(0))
  await recordApiKeyUse(db, id, later(60_000))
  t.strictSame(await lastUse(), later(60_000))
})

test("keys are listed by age, and never with another organisation's", async (t, { db }) => {
  for (const day of [2, 1, 3]) await createApiKey(db, reader, new Date(Date.UTC(2026, 10, day)))
  await createApiKey(db, { ...reader, org: 'other' }, new Date())
  const days = (await listApiKeys(db, 'acme')).map(({ createdAt }) => createdAt.getUTCDate())
  t.strictSame(days, [1, 2, 3])
})

test('keys are read in pages, newest first, and none after an unknown key', async (t, { db }) => {
  for (const day of [1, 2, 2, 3]) await createApiKey(db, reader, new Date(Date.UTC(2026, 10, day)))
  const other = await createApiKey(db, { ...reader, org: 'other' }, new Date(Date.UTC(2026, 10, 9)))
  const read = (before: string | undefined, limit: number) => listNewestApiKeys(db, 'acme', { before, limit })
  const all = await read(undefined, 9)
  t.strictSame(
    all.map(({ createdAt }) => createdAt.getUTCDate()),
    [3, 2, 2, 1],
  )
  for (const [index, { id }] of all.entries()) t.strictSame(await read(id, 2), all.slice(index + 1, index + 3))
  t.strictSame(await read('0000000000000000', 9), [])
  t.strictSame(await read(other.slice(5, 21), 9), [], 'a key of another organisation')
})

test('of a key nothing is kept but the SHA-256 of its text', async (t, { db }) => {
  const text = await createApiKey(db, reader, noon)
  const row = await db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
  t.equal(Buffer.from(row.secret_hash).toString('hex'), createHash('sha256').update(text).digest('hex'))
  t.notMatch(JSON.stringify(row), text.slice(22))
})
