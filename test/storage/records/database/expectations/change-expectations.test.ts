import {
  addExpectation,
  applyDeclaredExpectations,
  deleteExpectation,
  listAudit,
  listExpectations,
  listWantedSelections,
  findWantedSelection,
  mainAlone,
  maxExpectations,
  recordFreshness,
  updateExpectation,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, by, repositoryWith } from '../recorded.ts'
import { nameOutcomes, optionsAt } from '../receivers/edit-receivers.ts'

const test = await testOnEngines(t)

const hourMs = 3_600_000
const sixHours = { branch: 'main', path: null, maxAge: '6h', maxAgeMs: 6 * hourMs, written: null }
const describe = () => ({ payload: '{}', line: '' })

test('a change is recorded with its audit entry, and only for the version that was read', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const { expectation } = await addExpectation(db, repository, sixHours, optionsAt(0))
  const address = { repository, id: expectation.id }
  t.match(expectation, { ...sixHours, version: 1, isDeclared: false })
  const changed = await updateExpectation(db, address, { path: 'a/**' }, { ...optionsAt(1), versions: [1] })
  t.match(changed.expectation, { path: 'a/**', maxAge: '6h', version: 2, updatedAt: at(1) })
  const same = await updateExpectation(db, address, { path: 'a/**' }, optionsAt(2))
  t.match(same, { audit: undefined, expectation: { version: 2 } })
  t.strictSame(
    await nameOutcomes([
      updateExpectation(db, address, { branch: 'dev' }, { ...optionsAt(3), versions: [1] }),
      deleteExpectation(db, address, { ...optionsAt(3), versions: [1] }),
      deleteExpectation(db, { repository: { ...repository, id: 'another' }, id: expectation.id }, optionsAt(3)),
    ]),
    ['ExpectationChangedError', 'ExpectationChangedError', 'ExpectationNotFoundError'],
  )
  await deleteExpectation(db, address, { ...optionsAt(4), versions: [2] })
  t.strictSame(await listExpectations(db, repository), [])
  const entries = await listAudit(db, { repoId, limit: 10 })
  t.match(entries, [
    { action: 'expectation.delete', subjectId: expectation.id, before: { path: 'a/**' }, after: null },
    { action: 'expectation.update', before: { path: null }, after: { path: 'a/**' } },
    { action: 'expectation.create', keyId: by.id, after: { branch: 'main', path: null, max_age: '6h' } },
  ])
})

// Proves: a repository has at most 50 expectations
test('a repository has a limited number of expectations', async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const processes = [db, await connect(), await connect()]
  const additions = Array.from({ length: maxExpectations + 3 }, (_, index) =>
    addExpectation(processes[index % processes.length] ?? db, repository, sixHours, optionsAt(index)),
  )
  const outcomes = await nameOutcomes(additions)
  t.equal(outcomes.filter((outcome) => outcome === 'TooManyExpectationsError').length, 3)
  t.equal((await listExpectations(db, repository)).length, maxExpectations)
})

const declared = { ...sixHours, org: 'acme', repos: 'wea*' }

// Proves: expectations in `floe.yaml` keep their state when the service starts again
test('what a file declares is for all repositories that match, and keeps its state', async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const daily = { ...declared, branch: 'dev', maxAge: '1d', maxAgeMs: 24 * hourMs }
  const processes = [db, await connect()]
  const apply = (list: readonly (typeof declared)[], ms: number) =>
    Promise.all(processes.map((one) => applyDeclaredExpectations(one, list, at(ms))))
  await apply([declared, daily], 0)
  const list = async () => (await listExpectations(db, repository)).map(({ id, maxAge }) => ({ id, maxAge }))
  const before = await list()
  t.strictSame(before.map(({ maxAge }) => maxAge ?? '').toSorted(), ['1d', '6h'])
  t.strictSame(await listExpectations(db, { ...repository, name: 'ocean' }), [])
  t.strictSame(await listExpectations(db, { ...repository, org: 'globex' }), [])
  await recordFreshness(db, { repository, checkedAt: at(1), found: new Map() }, describe, at(1))
  await apply([daily, declared], 2)
  t.strictSame(await list(), before)
  const [first] = await listExpectations(db, repository)
  t.match(first, { isDeclared: true, freshness: { countsFrom: at(1) } })
  const address = { repository, id: first?.id ?? '' }
  t.strictSame(
    await nameOutcomes([
      updateExpectation(db, address, { branch: 'x' }, optionsAt(3)),
      deleteExpectation(db, address, optionsAt(3)),
    ]),
    ['DeclaredInFileError', 'DeclaredInFileError'],
  )
  await apply([daily], 4)
  t.strictSame(
    (await list()).map(({ maxAge }) => maxAge),
    ['1d'],
  )
  await apply([], 5)
  t.strictSame(await list(), [])
})

// Proves: the branch of an expectation is watched
test('its branch is watched from now on, in its repositories alone', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const find = async (name = 'weather', id = repoId) => {
    const wanted = await listWantedSelections(db, mainAlone, at(0))
    return findWantedSelection(wanted, { id, org: 'acme', name })
  }
  t.match(await find(), { selection: mainAlone, isFollowed: false, judged: '' })
  const { expectation } = await addExpectation(db, repository, { ...sixHours, branch: 'dev' }, optionsAt(0))
  const first = await find()
  t.match(first, { selection: { branches: ['dev'], tags: false }, isFollowed: true }, 'it is polled often')
  await updateExpectation(db, { repository, id: expectation.id }, { maxAge: '7h', maxAgeMs: 7 * hourMs }, optionsAt(1))
  t.not((await find()).judged, first.judged, 'whoever polls the repository notices a change')
  await applyDeclaredExpectations(db, [{ ...declared, branch: 'release' }], at(2))
  t.strictSame((await find()).selection.branches, ['dev', 'release'])
  t.match(await find('ocean', 'another'), { selection: mainAlone, judged: '' })
})
