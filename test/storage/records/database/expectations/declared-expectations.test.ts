import {
  applyDeclaredExpectations,
  type DeclaredExpectation,
  deleteExpectation,
  listExpectations,
  readContractDocument,
  updateExpectation,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { nameOutcomes, optionsAt } from '../receivers/edit-receivers.ts'
import { at } from '../recorded.ts'
import { contract, describeChange, expectedRepository, fresh, listWrites, unmet } from './expected.ts'

const test = await testOnEngines(t)

const hourly: DeclaredExpectation = { ...fresh, org: 'acme', repos: ['wea*'] }
const daily = { ...hourly, settings: { ...hourly.settings, max_age: '1d' } }
const maps: DeclaredExpectation = { ...contract, alias: 'maps', org: 'acme', repos: ['**'] }

// Proves: expectations in `floe.yaml` keep their state when the service starts again
test('what a file declares is for all repositories that match, and keeps its state', async (t, { db, connect }) => {
  const { repository, move, find, judge } = await expectedRepository(db)
  const processes = [db, await connect(), await connect()]
  const apply = (list: readonly DeclaredExpectation[], ms: number) =>
    Promise.all(processes.map((one) => applyDeclaredExpectations(one, list, describeChange, at(ms))))
  await apply([hourly, daily, { ...hourly, org: 'globex' }], 0)
  const before = await listExpectations(db, repository)
  t.strictSame(before.map(({ settings }) => String(settings['max_age'])).toSorted(), ['1d', '6h'])
  t.strictSame(await listExpectations(db, { ...repository, name: 'ocean' }), [])
  await move('A', 1)
  await judge(await find(), unmet, 2)
  const judged = await find()
  await apply([daily, { ...hourly, org: 'globex' }, hourly], 3)
  t.strictSame(await listExpectations(db, repository), before)
  t.strictSame(await find(), judged)
  const address = { owner: repository, id: judged.expectation.id }
  t.strictSame(
    await nameOutcomes([
      updateExpectation(db, address, { branch: 'x' }, describeChange, optionsAt(4)),
      deleteExpectation(db, address, describeChange, optionsAt(4)),
    ]),
    ['declared-in-file', 'declared-in-file'],
  )
})

test('a start with the same file writes nothing', async (t, { db }) => {
  const apply = (on: typeof db) => applyDeclaredExpectations(on, [hourly, maps], describeChange, at(0))
  await apply(db)
  t.strictSame(
    await listWrites(db, async (spied) =>
      t.match(await applyDeclaredExpectations(spied, [maps, hourly], describeChange, at(1)), { hasEvents: false }),
    ),
    [],
  )
})

test('one with an alias is changed, and ends only where it no longer matches', async (t, { db }) => {
  const { repository, move, find, judge, listEvents } = await expectedRepository(db)
  const apply = (ms: number, ...list: readonly DeclaredExpectation[]) =>
    applyDeclaredExpectations(db, list, describeChange, at(ms))
  await apply(0, maps)
  await move('A', 1)
  await judge(await find(), unmet, 2)
  const { expectation } = await find()
  t.strictSame(await apply(3, { ...maps, document: '{}' }), { hasEvents: false })
  t.equal(await readContractDocument(db, { id: expectation.id, version: 2 }), '{}')
  t.match(await find(), { state: { headId: '', unmetSince: at(2) } })
  t.strictSame(await apply(4, { ...maps, document: '{}', branch: 'dev' }), { hasEvents: true })
  t.match(await listExpectations(db, repository), [{ id: expectation.id, version: 3, branch: 'dev' }])
  t.match(await find('dev'), { head: null, state: null })
  t.strictSame(await listEvents(), [
    'ExpectationUnmet main #1 since 2, at A',
    'ExpectationMet main #2 since 2, The expectation no longer covers this branch',
  ])
})

test('one that the file no longer has ends with events; without an alias, another setting makes it another', async (t, {
  db,
}) => {
  const { repository, move, find, judge, listEvents } = await expectedRepository(db)
  await applyDeclaredExpectations(db, [hourly], describeChange, at(0))
  await move('A', 1)
  await judge(await find(), unmet, 2)
  const { expectation } = await find()
  await applyDeclaredExpectations(db, [daily], describeChange, at(3))
  const [other] = await listExpectations(db, repository)
  t.not(other?.id, expectation.id)
  await applyDeclaredExpectations(db, [], describeChange, at(4))
  t.strictSame(await listExpectations(db, repository), [])
  t.strictSame(await listEvents(), [
    'ExpectationUnmet main #1 since 2, at A',
    'ExpectationMet main #2 since 2, at A, The expectation was removed from the configuration file',
  ])
})
