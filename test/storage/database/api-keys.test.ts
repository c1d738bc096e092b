import { createApiKey, findApiKey, listApiKeys, revokeApiKey } from '@floe/storage/database'
import t from 'tap'
import { reachableEngines } from './engines.ts'

for (const engine of await reachableEngines(t)) {
  t.test(`${engine.name}: a key is found by its text until it is revoked`, async (t) => {
    const { db } = await engine.fresh(t)
    const createdAt = new Date('2026-11-21T12:00:00.123Z')
    const key = await createApiKey(db, { org: 'acme', role: 'admin', repos: ['weather', 'ü'] }, createdAt)
    const record = await findApiKey(db, key)
    t.match(record, { org: 'acme', role: 'admin', repos: ['weather', 'ü'], createdAt, revokedAt: null })
    t.equal(await findApiKey(db, `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`), undefined)
    t.equal(await revokeApiKey(db, record?.id ?? '', new Date()), true)
    t.equal(await revokeApiKey(db, record?.id ?? '', new Date()), false, 'only once')
    t.equal(await findApiKey(db, key), undefined)
  })

  t.test(`${engine.name}: keys are listed by age, and never with another organisation's`, async (t) => {
    const { db } = await engine.fresh(t)
    for (const day of [2, 1, 3]) {
      const createdAt = new Date(Date.UTC(2026, 10, day))
      await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, createdAt)
    }
    await createApiKey(db, { org: 'other', role: 'reader', repos: null }, new Date())
    const days = (await listApiKeys(db, 'acme')).map(({ createdAt }) => createdAt.getUTCDate())
    t.strictSame(days, [1, 2, 3])
  })
}
