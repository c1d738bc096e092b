import {
  addExpectation,
  findExpectation,
  findWantedSelection,
  listExpectedBranches,
  listWantedSelections,
  mainAlone,
  maxExpectedBranches,
  updateExpectation,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { optionsAt } from '../receivers/edit-receivers.ts'
import { at } from '../recorded.ts'
import { describeChange, expectedRepository, fresh, met } from './expected.ts'

const test = await testOnEngines(t)

test('a name is one branch, which need not exist; a pattern is those with a head or a state', async (t, { db }) => {
  const { repository, move, find, judge } = await expectedRepository(db)
  await addExpectation(db, repository, { ...fresh, branch: 'release' }, optionsAt(0))
  await addExpectation(db, repository, { ...fresh, branch: 'v?/**' }, optionsAt(1))
  const list = async () =>
    (await listExpectedBranches(db, repository)).map(({ branch, head, state }) => [
      branch,
      head?.snapshotId,
      state?.headId,
    ])
  t.strictSame(await list(), [['release', undefined, undefined]])
  for (const branch of ['v2/b', 'v1/a', 'main', 'v10/a']) await move('A', 1, branch)
  await judge(await find('v2/b'), met, 2)
  await db.deleteFrom('heads').where('branch', '=', 'v2/b').execute()
  t.strictSame(await list(), [
    ['release', undefined, undefined],
    ['v2/b', undefined, 'A'],
    ['v1/a', 'A', undefined],
  ])
})

test('a head counts from when it was seen if its commit states a later time', async (t, { db }) => {
  const { repository, move, find } = await expectedRepository(db)
  await addExpectation(db, repository, fresh, optionsAt(0))
  await move('A', 5)
  await db
    .updateTable('heads')
    .set({ written_at: at(9).getTime() })
    .execute()
  t.match(await find(), { head: { committedAt: at(5) } })
  await db
    .updateTable('heads')
    .set({ written_at: at(4).getTime() })
    .execute()
  t.match(await find(), { head: { committedAt: at(4) } })
})

test('a pattern judges a limited number of branches, always the same', async (t, { db }) => {
  const { repository, move, find, judge } = await expectedRepository(db)
  await addExpectation(db, repository, { ...fresh, branch: 'b*' }, optionsAt(0))
  for (let index = 0; index <= maxExpectedBranches; index++) await move('A', 1, `b${index + 100}`)
  await judge(await find('b199'), met, 2)
  const names = async () => (await listExpectedBranches(db, repository)).map(({ branch }) => branch)
  t.equal((await names()).length, maxExpectedBranches)
  await move('A', 3, 'b')
  t.ok((await names()).includes('b199'), 'a judged branch stays')
})

test('an expectation is found where it counts', async (t, { db }) => {
  const { repository } = await expectedRepository(db)
  const { expectation } = await addExpectation(db, { org: 'acme' }, { ...fresh, repos: ['wea*'] }, optionsAt(0))
  const find = (owner: Parameters<typeof findExpectation>[1]) => findExpectation(db, owner, expectation.id)
  t.strictSame(await find(repository), expectation)
  t.strictSame(await find({ org: 'acme' }), expectation)
  for (const owner of [{ org: 'globex' }, { ...repository, name: 'ocean' }]) t.equal(await find(owner), undefined)
})

// Proves: the branch of an expectation is watched
test('its branches are watched from now on, in its repositories alone', async (t, { db }) => {
  const { repository } = await expectedRepository(db)
  await db.deleteFrom('receivers').execute()
  const find = async (name = 'weather', id = repository.id) => {
    const wanted = await listWantedSelections(db, mainAlone, at(0))
    return findWantedSelection(wanted, { id, org: 'acme', name })
  }
  t.match(await find(), { selection: mainAlone, isFollowed: false, judgedKey: '' })
  const { expectation } = await addExpectation(db, repository, { ...fresh, branch: 'v*' }, optionsAt(0))
  const first = await find()
  t.match(first, { selection: { branches: ['v*'], tags: false }, isFollowed: true }, 'it is polled often')
  const address = { owner: repository, id: expectation.id }
  await updateExpectation(db, address, { alias: 'maps' }, describeChange, optionsAt(1))
  t.not((await find()).judgedKey, first.judgedKey, 'whoever polls the repository notices a change')
  await addExpectation(db, { org: 'acme' }, { ...fresh, branch: 'dev', repos: ['x', 'wea*'] }, optionsAt(2))
  t.strictSame((await find()).selection.branches, ['dev', 'v*'])
  t.match(await find('ocean', 'another'), { selection: mainAlone, judgedKey: '' })
})
