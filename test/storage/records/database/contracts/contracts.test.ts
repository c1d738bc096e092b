import { ensureRepositories, listNewestVerdicts, openDatabase } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { explainQueries } from '../explain-queries.ts'
import { at } from '../recorded.ts'

const test = await testOnEngines(t)

test('contracts that are broken for the shortest time are listed first, then those that are kept', async (t, {
  db,
}) => {
  const found = { r0: null, r1: 3, r2: null, r3: 5, r4: 'unknown' } as const
  const ids = await ensureRepositories(db, 'acme', Object.keys(found), at(0))
  const contract = { org: 'acme', name: 'maps', branch: 'main', document: '{}', is_declared: 0 } as const
  for (const [name, since] of Object.entries(found)) {
    const [id, repo_id] = [`c ${name}`, ids.get(name) ?? '']
    await db
      .insertInto('contracts')
      .values({ id, repo_id, ...contract, created_at: 0, updated_at: 0 })
      .execute()
    const state = since === 'unknown' ? null : since === null ? 'kept' : 'broken'
    const findings = { state, broken_since: typeof since === 'number' ? since : null, breaks: '[]' } as const
    await db
      .insertInto('contract_findings')
      .values({ contract_id: id, repo_id, contract_version: 1, head_id: 'A', breaking_changes: 0, ...findings })
      .execute()
  }
  const list = async (limit: number) =>
    (await listNewestVerdicts(db, limit)).map(({ repo, isBroken }) => `${repo} ${isBroken}`)
  t.strictSame(await list(10), ['r3 true', 'r1 true', 'r0 false', 'r2 false'], 'nothing is said of what was not judged')
  t.strictSame(await list(1), ['r3 true'])
})

t.test('the newest verdicts are read from indexes, however many there are', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const plans = await explainQueries(db, (spied) => listNewestVerdicts(spied, 1))
  const scans = plans.flat().filter((step) => /contract_findings|B-TREE/.test(step))
  t.ok(scans.some((step) => step.includes('USING INDEX contract_findings_broken')))
  for (const step of scans)
    t.match(step, /USING INDEX (?:contract_findings_broken|sqlite_autoindex_contract_findings_1)/)
})
