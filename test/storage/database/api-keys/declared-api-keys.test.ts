import { createHash } from 'node:crypto'
import {
  applyDeclaredApiKeys,
  createApiKey,
  type DeclaredApiKey,
  findApiKey,
  listApiKeys,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'

const now = new Date('2026-11-21T12:00:00Z')

function declared(digit: string): { readonly text: string; readonly key: DeclaredApiKey } {
  const text = `floe_${digit.repeat(16)}_${digit.repeat(43)}`
  const sha256 = createHash('sha256').update(text).digest()
  return {
    text,
    key: { id: digit.repeat(16), org: 'acme', role: 'admin', repos: null, expiresAt: null, sha256, isBootstrap: false },
  }
}

const test = await testOnEngines(t)

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
  const ids = (await listApiKeys(db, 'acme')).map(({ id }) => id)
  t.strictSame(
    ids,
    keys.map(({ id }) => id),
  )
})
