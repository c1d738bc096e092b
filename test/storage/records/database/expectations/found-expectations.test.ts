import { ensureRepositories, listNewestFindings, openDatabase } from '@floe/storage/database'
import type { Database } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { explainQueries } from '../explain-queries.ts'
import { at } from '../recorded.ts'

const test = await testOnEngines(t)

/** Records what was found about an expectation in each repository: since when it is unmet, or null. */
async function addFindings(db: Database, found: readonly (number | null)[]): Promise<void> {
  const ids = await ensureRepositories(
    db,
    'acme',
    found.map((_, index) => `r${index}`),
    at(0),
  )
  const columns = { org: 'acme', branch: 'main', max_age: '6h', max_age_ms: 1, is_declared: 0 } as const
  const times = { created_at: 0, updated_at: 0 }
  for (const [index, unmet_since] of found.entries()) {
    const [id, repo_id] = [`e${index}`, ids.get(`r${index}`) ?? '']
    await db
      .insertInto('expectations')
      .values({ id, repo_id, ...columns, ...times })
      .execute()
    await db
      .insertInto('expectation_findings')
      .values({ expectation_id: id, repo_id, head_id: 'A', unmet_since, counts_from: 0 })
      .execute()
  }
}

test('expectations that are unmet for the shortest time are listed first, then others', async (t, { db }) => {
  await addFindings(db, [null, 3, null, 5, 4, null])
  const list = async (limit: number) => (await listNewestFindings(db, limit)).map(({ repo }) => repo)
  t.strictSame(await list(10), ['r3', 'r4', 'r1', 'r0', 'r2', 'r5'])
  t.strictSame(await list(2), ['r3', 'r4'])
  const [first, ...others] = (await list(4)).slice(2)
  t.equal(first, 'r1')
  for (const other of others) t.match(other, /^r[025]$/)
})

t.test('the newest findings are read from indexes, however many there are', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const plans = await explainQueries(db, (spied) => listNewestFindings(spied, 1))
  const scans = plans.flat().filter((step) => /expectation_findings|B-TREE/.test(step))
  t.ok(scans.some((step) => step.includes('USING INDEX expectation_findings_unmet')))
  for (const step of scans)
    t.match(step, /USING INDEX (?:expectation_findings_unmet|sqlite_autoindex_expectation_findings_1)/)
})
