import {
  addExpectation,
  addRemark,
  type Database,
  ensureRepositories,
  listCoverage,
  listMoves,
  listTroubles,
  type NewRemark,
} from '@floe/storage/database'
import { t } from 'tap'
import { indexRepository, type MadeUpDataset } from '../../../../server/search/find/indexed-corpus.ts'
import { testOnEngines } from '../engines.ts'
import { contract, fresh } from '../expectations/expected.ts'
import { optionsAt } from '../receivers/edit-receivers.ts'
import { at, by, moveHead } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const test = await testOnEngines(t)

const day = 86_400_000

test('moves of main are counted by day for four weeks; the first head is none', async (t, { db }) => {
  const repoId = await rememberRepository(db, 'acme', 'weather', at(0))
  await moveHead(db, repoId, ['A', 'B', 'C'], at(0))
  await moveHead(db, repoId, ['D'], at(2 * day))
  const list = async (days: number, ...names: readonly string[]) => listMoves(db, 'acme', names, at(days * day))
  const [weather, ...others] = [...(await list(2, 'weather')).values()]
  t.strictSame(weather, [...Array.from({ length: 25 }, () => 0), 2, 0, 1])
  t.strictSame(others, [])
  t.equal((await list(27, 'weather')).get('weather')?.[0], 2, 'the 28th day before')
  t.equal((await list(28, 'weather')).get('weather')?.[0], 0)
  t.strictSame((await list(1, 'weather')).get('weather')?.slice(-2), [2, 0], 'a day that has not begun is not shown')
  await moveHead(db, repoId, ['E'], at(28 * day))
  t.equal((await list(28, 'weather')).get('weather')?.at(-1), 1, 'it takes the row of the day four weeks before')
  t.equal((await db.selectFrom('head_moves').selectAll().execute()).length, 2)
  t.ok((await list(2, 'ocean')).get('ocean')?.every((moves) => moves === 0))
})

/** Adds an expectation that these repositories do not meet. */
async function unmeet(db: Database, added: typeof fresh, ids: readonly (string | undefined)[]) {
  const { expectation } = await addExpectation(db, { org: 'acme' }, { ...added, repos: ['**'] }, optionsAt(0))
  for (const repo_id of ids) {
    const row = { expectation_id: expectation.id, repo_id: repo_id ?? '', branch: 'main', head_id: 'A', facts: '{}' }
    const verdict = { judged_version: 1, verdict: 'unmet', unmet_since: 5 } as const
    await db
      .insertInto('expectation_states')
      .values({ ...row, ...verdict })
      .execute()
  }
}

test('troubles are those of these repositories, each once, the worst first', async (t, { db }) => {
  const names = ['fine', 'late', 'both', 'gone', 'all', 'other']
  const ids = await ensureRepositories(db, 'acme', names, at(0))
  for (const name of names) await moveHead(db, ids.get(name) ?? '', ['A', 'B'], at(0))
  await unmeet(db, fresh, [ids.get('late'), ids.get('both'), ids.get('gone'), ids.get('other')])
  await unmeet(db, { ...fresh, alias: 'again' }, [ids.get('late')])
  await unmeet(db, contract, [ids.get('both')])
  await db.updateTable('repositories').set({ unreadable_since: 7 }).where('name', '=', 'gone').execute()
  const retract = async (name: string, target: Partial<NewRemark>) => {
    const words = { text: 'NaN', since: null, until: null, supersededBy: null }
    const remark = { kind: 'retraction', range: null, ref: null, path: null, snapshotIds: [], ...words } as const
    const repository = { id: ids.get(name) ?? '', org: 'acme', name }
    await addRemark(db, repository, { ...remark, ...target }, () => ({ payload: '{}', line: '' }), { by, now: at(1) })
  }
  const ofSnapshot = (id: string) => ({ range: { from: id, to: id }, snapshotIds: [id] })
  await retract('fine', ofSnapshot('A'))
  await retract('fine', { ref: 'dev' })
  await retract('fine', { kind: 'note' })
  await retract('both', ofSnapshot('B'))
  await retract('all', { path: 'forecast' })
  const listed = await listTroubles(db, 'acme', ['fine', 'late', 'both', 'gone', 'all'])
  t.strictSame(Object.fromEntries(listed), {
    all: ['retracted'],
    both: ['retracted', 'breaking', 'late'],
    gone: ['unreadable'],
    late: ['late'],
  })
  t.equal((await listTroubles(db, 'globex', names)).size, 0)
})

test('the coverage of a repository holds all datasets of its index', async (t, { db }) => {
  const box = (west: number, east: number) => ({
    geospatial_lon_min: [west],
    geospatial_lon_max: [east],
    geospatial_lat_min: [-10],
    geospatial_lat_max: [east / 10],
  })
  const period = (start: string, end: string) => ({ time_coverage_start: start, time_coverage_end: end })
  const describe = (path: string, attributes: MadeUpDataset['attributes'] = {}): MadeUpDataset => {
    return { path, attributes, variables: { v: {} } }
  }
  const many = Array.from({ length: 300 }, (_, index) => describe(`many/${String(index).padStart(3, '0')}`))
  await indexRepository(db, 'acme', 'weather', [
    describe('a', { ...box(-20, 10), ...period('1979-01-01', '1980-01-01') }),
    ...many,
    describe('z', { ...box(0, 40), ...period('1990-01-01', '2000-01-01') }),
  ])
  await indexRepository(db, 'acme', 'growing', [
    describe('a', period('1979-01-01', '1980-01-01')),
    describe('b', period('1990-01-01', 'present')),
  ])
  await rememberRepository(db, 'acme', 'new', at(0))
  await indexRepository(db, 'acme', 'single', [describe('a', { title: ['Only'] })])
  await indexRepository(db, 'acme', 'pair', [describe('a', { title: ['One'] }), describe('b', { title: ['Two'] })])
  const listed = await listCoverage(db, 'acme', ['weather', 'growing', 'new', 'single', 'pair'])
  t.match(listed.get('weather'), { datasets: 302, box: [-20, -10, 40, 4] })
  const { period: all } = listed.get('weather') ?? {}
  t.strictSame([all?.start?.getUTCFullYear(), all?.end?.getUTCFullYear()], [1979, 2000])
  t.match(listed.get('growing'), { datasets: 2, box: null, period: { start: new Date('1979-01-01Z'), end: null } })
  t.equal(listed.has('new'), false)
  t.match(listed.get('single'), { datasets: 1, onlyTitle: 'Only' })
  t.match(listed.get('pair'), { datasets: 2, onlyTitle: null })
})
