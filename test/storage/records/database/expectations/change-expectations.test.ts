import {
  addExpectation,
  applyDeclaredExpectations,
  deleteExpectation,
  listAudit,
  listExpectations,
  maxExpectations,
  readContractDocument,
  updateExpectation,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { nameOutcomes, optionsAt } from '../receivers/edit-receivers.ts'
import { at, by } from '../recorded.ts'
import { contract, describeChange, expectedRepository, fresh, met, unmet } from './expected.ts'

const test = await testOnEngines(t)

const hourMs = 3_600_000
const acme = { org: 'acme' }
const everywhere = { ...fresh, repos: ['**'] }

test('a change is recorded with its audit entry, and only for the version that was read', async (t, { db }) => {
  const { repository } = await expectedRepository(db)
  const { expectation } = await addExpectation(db, repository, fresh, optionsAt(0))
  const { id } = expectation
  const address = { owner: repository, id }
  t.match(expectation, { kind: 'freshness', version: 1, isDeclared: false, repoId: repository.id, repos: null })
  const change = { settings: { path: 'a/**' } }
  const changed = await updateExpectation(db, address, change, describeChange, { ...optionsAt(1), versions: [1] })
  t.match(changed.expectation, { settings: { max_age: '6h', path: 'a/**' }, version: 2, updatedAt: at(1) })
  const same = await updateExpectation(db, address, change, describeChange, optionsAt(2))
  t.match(same, { audit: undefined, expectation: { version: 2 } })
  const early = { ...optionsAt(3), versions: [1] }
  t.strictSame(
    await nameOutcomes([
      updateExpectation(db, address, { branch: 'dev' }, describeChange, early),
      deleteExpectation(db, address, describeChange, early),
      deleteExpectation(db, { owner: { ...repository, id: 'another' }, id }, describeChange, optionsAt(3)),
      deleteExpectation(db, { owner: acme, id }, describeChange, optionsAt(3)),
    ]),
    ['expectation-not-found', 'expectation-not-found', 'precondition-failed', 'precondition-failed'],
  )
  await deleteExpectation(db, address, describeChange, { ...optionsAt(4), versions: [2] })
  t.strictSame(await listExpectations(db, repository), [])
  t.match(await listAudit(db, { repoId: repository.id, limit: 10 }), [
    { action: 'expectation.delete', subjectId: id, before: { path: 'a/**' }, after: null },
    { action: 'expectation.update', before: { path: null }, after: { path: 'a/**', max_age: '6h' } },
    { action: 'expectation.create', keyId: by.id, after: { kind: 'freshness', branch: 'main', path: null } },
  ])
})

test('a document is read by its version, and the audit names it by its hash', async (t, { db }) => {
  const { repository } = await expectedRepository(db)
  const { expectation } = await addExpectation(db, repository, contract, optionsAt(0))
  const { id } = expectation
  await updateExpectation(db, { owner: repository, id }, { document: '{}' }, describeChange, optionsAt(1))
  t.equal(await readContractDocument(db, { id, version: 2 }), '{}')
  t.equal(await readContractDocument(db, { id, version: 1 }), undefined)
  const [update] = await listAudit(db, { repoId: repository.id, limit: 1 })
  t.match(update?.after, { document_sha256: /^[0-9a-f]{64}$/ })
  t.not(update?.after?.['document_sha256'], update?.before?.['document_sha256'])
  await deleteExpectation(db, { owner: repository, id }, describeChange, optionsAt(2))
  t.strictSame(await db.selectFrom('expectation_documents').selectAll().execute(), [])
})

test('one of an organisation is changed by those who administer the organisation alone', async (t, { db }) => {
  const { repository } = await expectedRepository(db)
  const { expectation } = await addExpectation(db, acme, { ...fresh, repos: ['wea*'] }, optionsAt(0))
  const { id } = expectation
  t.match(await listExpectations(db, repository), [{ id, repoId: null, repos: ['wea*'] }])
  t.match(await listExpectations(db, acme), [{ id }])
  t.strictSame(await listExpectations(db, { ...repository, name: 'ocean' }), [])
  t.strictSame(await listExpectations(db, { ...repository, org: 'globex' }), [])
  await t.rejects(deleteExpectation(db, { owner: repository, id }, describeChange, optionsAt(1)), {
    code: 'expectation-not-found',
  })
  await deleteExpectation(db, { owner: acme, id }, describeChange, optionsAt(2))
  t.match(await listAudit(db, { org: 'acme', repos: null, limit: 10 }), [
    { action: 'expectation.delete', repoId: null, before: { repos: ['wea*'] } },
    { action: 'expectation.create' },
  ])
})

// Proves: a repository has at most 50 expectations
test('a repository has a limited number of expectations', async (t, { db, connect }) => {
  const { repository } = await expectedRepository(db)
  const processes = [db, await connect(), await connect()]
  await addExpectation(db, acme, everywhere, optionsAt(0))
  const additions = Array.from({ length: maxExpectations + 2 }, (_, index) =>
    addExpectation(processes[index % processes.length] ?? db, repository, fresh, optionsAt(1)),
  )
  const outcomes = await nameOutcomes(additions)
  t.equal(outcomes.filter((outcome) => outcome === 'too-many-expectations').length, 3)
  t.equal((await listExpectations(db, repository)).length, maxExpectations)
})

test('an organisation has a limited number too, besides those that a file declares', async (t, { db }) => {
  await applyDeclaredExpectations(db, [{ ...everywhere, org: 'acme' }], describeChange, at(0))
  for (let index = 0; index < maxExpectations; index++) await addExpectation(db, acme, everywhere, optionsAt(1))
  await t.rejects(addExpectation(db, acme, everywhere, optionsAt(2)), { code: 'too-many-expectations' })
  const { repository } = await expectedRepository(db)
  t.equal((await listExpectations(db, repository)).length, maxExpectations, 'the oldest count')
})

test('what no longer is expected of a branch ends with an event', async (t, { db }) => {
  const { repository, move, find, judge, listEvents } = await expectedRepository(db)
  const { expectation } = await addExpectation(db, repository, { ...fresh, branch: '*' }, optionsAt(0))
  const address = { owner: repository, id: expectation.id }
  for (const branch of ['dev', 'main', 'other']) {
    await move('A', 1, branch)
    await judge(await find(branch), branch === 'other' ? met : unmet, 2)
  }
  t.match(await updateExpectation(db, address, { branch: 'm*' }, describeChange, optionsAt(3)), { hasEvents: true })
  t.match(await find(), { state: { headId: '', verdict: 'unmet', unmetSince: at(2) } }, 'it stays, and is judged again')
  const rows = await db.selectFrom('expectation_states').select('branch').execute()
  t.strictSame(rows, [{ branch: 'main' }])
  t.match(await deleteExpectation(db, address, describeChange, optionsAt(4)), { hasEvents: true })
  t.strictSame((await listEvents()).slice(2), [
    'ExpectationMet dev #2 since 2, at A, The expectation no longer covers this branch',
    'ExpectationMet main #2 since 2, The expectation was deleted',
  ])
})

// Proves: with another severity, what is unmet ends for those who were told, and is told again
test('what is unmet ends with another severity, and is told again without another grace', async (t, { db }) => {
  const { repository, move, find, judge, listEvents } = await expectedRepository(db)
  const grace = { branch: '*', within: '1h', withinMs: hourMs }
  const { expectation } = await addExpectation(db, repository, { ...fresh, ...grace }, optionsAt(0))
  const address = { owner: repository, id: expectation.id }
  for (const branch of ['dev', 'main', 'other']) {
    await move('A', 1, branch)
    await judge(await find(branch), branch === 'other' ? met : unmet, 2)
    if (branch === 'main') await judge(await find(branch), { verdict: 'unchanged' }, hourMs + 2)
  }
  const changed = await updateExpectation(db, address, { severity: 'critical' }, describeChange, optionsAt(hourMs + 3))
  t.match(changed, { hasEvents: true, expectation: { severity: 'critical' } })
  t.match(await find(), { state: { headId: '', failingSince: at(2), verdict: null, unmetSince: null } })
  await judge(await find(), unmet, hourMs + 4)
  t.match(await find(), { state: { headId: 'A', failingSince: at(2), unmetSince: at(2) } })
  t.strictSame(await listEvents(), [
    'ExpectationUnmet main #1 since 2, at A',
    'ExpectationMet main #2 since 2, at A, The expectation starts over with another severity',
    'ExpectationUnmet main #3 since 2, at A',
  ])
})

test('what no longer is expected of a repository ends with an event, in all of them at once', async (t, { db }) => {
  const repositories = []
  const { expectation } = await addExpectation(db, acme, everywhere, optionsAt(0))
  for (const name of ['ocean', 'ice', 'weather']) {
    const one = await expectedRepository(db, name)
    await one.move('A', 1)
    await one.judge(await one.find(), unmet, 2)
    repositories.push(one)
  }
  const address = { owner: acme, id: expectation.id }
  await updateExpectation(db, address, { repos: ['weather'] }, describeChange, optionsAt(3))
  await updateExpectation(db, address, { within: '1h', withinMs: 3_600_000 }, describeChange, optionsAt(4))
  const counts = await Promise.all(repositories.map(async ({ listEvents }) => (await listEvents()).length))
  t.strictSame(counts, [2, 2, 1])
})

test('a judgement at the same time as a deletion leaves no failure that nothing ends', async (t, { db, connect }) => {
  const other = await connect()
  const { expectation } = await addExpectation(db, acme, everywhere, optionsAt(0))
  const repositories = []
  for (let index = 0; index < 12; index++) {
    const one = await expectedRepository(db, `r${index}`)
    await one.move('A', 1)
    repositories.push({ ...one, from: await one.find() })
  }
  const judgements = repositories.map(({ judge, from }) => judge(from, unmet, 2, other))
  await deleteExpectation(db, { owner: acme, id: expectation.id }, describeChange, optionsAt(3))
  await Promise.all(judgements)
  for (const { listEvents } of repositories) t.equal((await listEvents()).length % 2, 0)
  t.strictSame(await db.selectFrom('expectation_states').selectAll().execute(), [])
})
