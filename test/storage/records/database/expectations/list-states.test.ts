import {
  addExpectation,
  type Database,
  ensureRepositories,
  type ListedBranch,
  listNewestStates,
  listStates,
  listStatesOfExpectations,
  openDatabase,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { explainQueries } from '../explain-queries.ts'
import { optionsAt } from '../receivers/edit-receivers.ts'
import { at } from '../recorded.ts'
import { contract, fresh } from './expected.ts'

const test = await testOnEngines(t)

const acme = { org: 'acme' }

/** An expectation of an organisation with a state in each repository: since when it is unmet, or null. */
async function expectIn(db: Database, found: readonly (number | null)[], added = fresh, ms = 0) {
  const names = found.map((_, index) => `r${index}`)
  const ids = await ensureRepositories(db, 'acme', names, at(0))
  const { expectation } = await addExpectation(db, acme, { ...added, repos: ['**'] }, optionsAt(ms))
  for (const [index, unmet_since] of found.entries()) {
    const row = { expectation_id: expectation.id, repo_id: ids.get(`r${index}`) ?? '', branch: 'main' }
    const verdict = unmet_since === null ? 'met' : 'unmet'
    await db
      .insertInto('expectation_states')
      .values({ ...row, judged_version: 1, head_id: 'A', verdict, unmet_since, facts: '{"found":1}' })
      .execute()
  }
  return { id: expectation.id, ids }
}

const nameAll = (branches: readonly ListedBranch[] = []) => branches.map(({ repo }) => repo)

test('branches that are unmet for the shortest time are listed first, then others', async (t, { db }) => {
  await expectIn(db, [null, 3, null, 5, 4, null])
  const list = async (limit: number) => nameAll(await listNewestStates(db, limit))
  const all = await list(10)
  t.strictSame(all.slice(0, 3), ['r3', 'r4', 'r1'])
  t.strictSame(all.slice(3).toSorted(), ['r0', 'r2', 'r5'])
  t.strictSame(await list(2), ['r3', 'r4'])
  t.equal((await list(4)).length, 4)
})

test('the branches of repositories are listed by name, unmet ones first, then by age', async (t, { db }) => {
  await expectIn(db, [null, null])
  await expectIn(db, [null, 3], contract, 1)
  const list = async (limit: number, ...names: readonly string[]) =>
    (await listStates(db, { org: 'acme', names }, limit)).map(({ repo, expectation }) => `${repo} ${expectation.kind}`)
  t.strictSame(await list(10, 'r1', 'r9'), ['r1 contract', 'r1 freshness'])
  t.strictSame(await list(1, 'r0', 'r1'), ['r1 contract'])
  t.strictSame(await list(10, 'r9'), [])
  const [first] = await listStates(db, { org: 'acme', names: ['r1'] }, 1)
  t.match(first, { branch: 'main', state: { headId: 'A', facts: { found: 1 } }, expectation: { repos: ['**'] } })
  t.strictSame(await listStates(db, { org: 'globex', names: ['r0'] }, 1), [])
})

test('the branches of an expectation are listed unmet ones first, and counted', async (t, { db }) => {
  const one = await expectIn(db, [null, 3, null, 5])
  const other = await expectIn(db, [])
  const query = { org: 'acme', ids: [one.id, other.id] }
  const listed = await listStatesOfExpectations(db, query, 3)
  t.match(listed.get(one.id), { unmet: 2, branches: { length: 3 } })
  t.strictSame(nameAll(listed.get(one.id)?.branches).slice(0, 2), ['r1', 'r3'])
  t.strictSame(listed.get(other.id), { unmet: 0, branches: [] })
  const inOne = await listStatesOfExpectations(db, { ...query, repoId: one.ids.get('r3') }, 3)
  t.match(inOne.get(one.id), { unmet: 1, branches: [{ repo: 'r3' }] })
  t.equal(inOne.get(one.id)?.branches.length, 1)
  t.strictSame((await listStatesOfExpectations(db, { ...query, org: 'globex' }, 3)).get(one.id)?.branches, [])
})

test('the branches of an expectation are listed by the names of their repositories', async (t, { db }) => {
  const { id } = await expectIn(db, [null, 3, null, 5, 4, null])
  const listed = await listStatesOfExpectations(db, { ...acme, ids: [id] }, 10)
  t.strictSame(nameAll(listed.get(id)?.branches), ['r1', 'r3', 'r4', 'r0', 'r2', 'r5'])
})

t.test('lists are read from indexes, however many states there are, and never with documents', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { id } = await expectIn(db, [1])
  for (const read of [
    (spied: Database) => listNewestStates(spied, 2),
    (spied: Database) => listStatesOfExpectations(spied, { ...acme, ids: [id] }, 2),
  ]) {
    const steps = (await explainQueries(db, read)).flat()
    const ofStates = steps.filter((step) => /expectation_states|B-TREE/.test(step))
    t.ok(ofStates.some((step) => /INDEX expectation_states_unmet/.test(step)))
    for (const step of ofStates)
      t.match(step, /INDEX (?:expectation_states_unmet|sqlite_autoindex_expectation_states_1)/)
    t.notOk(steps.some((step) => step.includes('documents')))
  }
})
