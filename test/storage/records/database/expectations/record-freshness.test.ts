import {
  addExpectation,
  addReceiver,
  type Database,
  type FoundChange,
  type FreshnessChange,
  listExpectations,
  listFoundExpectations,
  listNewestFindings,
  readEvents,
  readHead,
  recordFreshness,
  recordHeadMove,
  updateExpectation,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, by, claim, commit, repositoryWith, setEnabled, webhook } from '../recorded.ts'
import { newWebhook, optionsAt } from '../receivers/edit-receivers.ts'

const test = await testOnEngines(t)

const hourMs = 3_600_000
const sixHours = { branch: 'main', path: null, maxAge: '6h', maxAgeMs: 6 * hourMs, written: null } as const

const describe = ({ name, expectation, lastCommitAt, staleSince }: FreshnessChange) => {
  const details = { branch: expectation.branch, lastCommitAt, staleSince }
  return { payload: JSON.stringify({ event: name, details }), line: `${name} ${expectation.branch}` }
}

/** A repository whose events all go to one webhook. */
async function expect(db: Database) {
  const events = ['NewCommit', 'RepositoryStale', 'RepositoryFresh'] as const
  const { repoId, receivers } = await repositoryWith(db, [webhook('hook', { events, branches: ['**'] })])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  /** Moves a head to a commit that is written at this time. */
  const move = async (snapshotId: string, ms: number, { branch = 'main', writtenMs = ms } = {}) => {
    const previous = await readHead(db, repoId, branch)
    const texts = { payload: JSON.stringify({ event: 'NewCommit', details: { snapshotId } }), line: 'moved' }
    const head = { repoId, branch, snapshotId, commit: { ...commit, writtenAt: at(writtenMs) } }
    await recordHeadMove(db, { ...head, previous, event: texts }, at(ms))
  }
  const judge = (ms: number, found: ReadonlyMap<string, FoundChange> = new Map(), on: Database = db) =>
    recordFreshness(on, { repository, checkedAt: at(ms), found }, describe, at(ms))
  const listEvents = async () => {
    const rows = await db.selectFrom('events').select(['name', 'sequence']).orderBy('position').execute()
    return rows.map(({ name, sequence }) => `${name} #${sequence}`)
  }
  return { repository, receiver: receivers.get('hook'), move, judge, listEvents }
}

// Proves: a branch becomes stale once, and fresh once, whichever process sees it
test('each change is told once and in order, whoever sees it', async (t, { db, connect }) => {
  const { repository, move, judge, listEvents } = await expect(db)
  await move('A', 0)
  const { expectation } = await addExpectation(db, repository, sixHours, optionsAt(1))
  t.strictSame(await judge(1), { hasEvents: false, nextDueAt: at(6 * hourMs) })
  const processes = [db, await connect(), await connect()]
  const judgeTogether = (ms: number) => Promise.all(processes.map((one) => judge(ms, new Map(), one)))
  await judgeTogether(6 * hourMs - 1)
  t.strictSame(await listEvents(), ['NewCommit #1'])
  await judgeTogether(6 * hourMs)
  await judgeTogether(7 * hourMs)
  t.strictSame(await listEvents(), ['NewCommit #1', 'RepositoryStale #1'])
  await move('B', 8 * hourMs)
  await judgeTogether(8 * hourMs)
  await judgeTogether(9 * hourMs)
  const told = ['NewCommit #1', 'RepositoryStale #1', 'NewCommit #2', 'RepositoryFresh #2']
  t.strictSame(await listEvents(), told)
  await judge(20 * hourMs)
  t.strictSame(await listEvents(), [...told, 'RepositoryStale #3'])
  const rows = await db.selectFrom('events').select('payload').where('name', '<>', 'NewCommit').execute()
  t.strictSame(
    rows.map(({ payload }) => JSON.parse(payload).details.staleSince),
    [at(6 * hourMs), at(6 * hourMs), at(14 * hourMs)].map((time) => time.toISOString()),
  )
  const [state] = await listExpectations(db, repository)
  t.match(state, { id: expectation.id, freshness: { headId: 'B', staleSince: at(14 * hourMs) } })
})

test('a check that began earlier, but is judged later, does not make a stale branch fresh', async (t, { db }) => {
  const { repository, move, judge, listEvents } = await expect(db)
  await move('A', 0)
  await addExpectation(db, repository, sixHours, optionsAt(1))
  await judge(6 * hourMs)
  t.strictSame(await judge(6 * hourMs - 1), { hasEvents: false, nextDueAt: null })
  t.strictSame(await listEvents(), ['NewCommit #1', 'RepositoryStale #1'])
})

test('a branch that is too old when it is first expected is stale at once', async (t, { db }) => {
  const { repository, move, judge, listEvents } = await expect(db)
  await move('A', 0)
  await addExpectation(db, repository, sixHours, optionsAt(9 * hourMs))
  t.strictSame(await judge(9 * hourMs), { hasEvents: true, nextDueAt: null })
  t.strictSame(await listEvents(), ['NewCommit #1', 'RepositoryStale #1'])
})

test('a clock of a writer that is ahead keeps nothing fresh', async (t, { db }) => {
  const { repository, move, judge } = await expect(db)
  await move('A', 0, { writtenMs: 1_000 * hourMs })
  await addExpectation(db, repository, sixHours, optionsAt(0))
  t.strictSame(await judge(1), { hasEvents: false, nextDueAt: at(6 * hourMs) })
})

test('a branch that does not exist counts from the first check', async (t, { db }) => {
  const { repository, move, judge, listEvents } = await expect(db)
  await addExpectation(db, repository, { ...sixHours, branch: 'dev' }, optionsAt(0))
  t.strictSame(await judge(hourMs), { hasEvents: false, nextDueAt: at(7 * hourMs) })
  await judge(7 * hourMs)
  await move('A', 8 * hourMs, { branch: 'dev' })
  await judge(8 * hourMs)
  t.strictSame(await listEvents(), ['RepositoryStale #1', 'NewCommit #1', 'RepositoryFresh #2'])
})

test('a branch that is deleted keeps its last commit', async (t, { db }) => {
  const { repository, move, judge, listEvents } = await expect(db)
  await move('A', 0)
  await addExpectation(db, repository, sixHours, optionsAt(0))
  await judge(1)
  await db.deleteFrom('heads').execute()
  t.strictSame(await judge(2), { hasEvents: false, nextDueAt: at(6 * hourMs) })
  await judge(6 * hourMs)
  t.strictSame(await listEvents(), ['NewCommit #1', 'RepositoryStale #1'])
})

test('with a path, only commits that changed it count', async (t, { db }) => {
  const { repository, move, judge } = await expect(db)
  await move('A', 0)
  const { expectation } = await addExpectation(db, repository, { ...sixHours, path: 'forecast/**' }, optionsAt(1))
  const find = (headId: string, sinceId: string, change: FoundChange['change']) =>
    new Map([[expectation.id, { headId, sinceId, change }]])
  const read = async () => (await listExpectations(db, repository))[0]?.freshness ?? null
  t.strictSame(await judge(2), { hasEvents: false, nextDueAt: at(2) }, 'nobody has searched yet')
  t.equal(await read(), null)
  const change = { lastCommitAt: at(-hourMs), countsFrom: at(-hourMs) }
  t.strictSame(await judge(3, find('A', '', change)), { hasEvents: false, nextDueAt: at(5 * hourMs) })
  await move('B', 4)
  t.strictSame(await judge(5, find('A', '', change)), { hasEvents: false, nextDueAt: at(5) }, 'it has moved since')
  t.strictSame(await judge(6, find('B', 'A', 'unchanged')), { hasEvents: false, nextDueAt: at(5 * hourMs) })
  t.match(await read(), { headId: 'B', lastCommitAt: at(-hourMs) })
  await move('C', 7)
  const older = find('C', 'A', 'unchanged')
  t.strictSame(await judge(8, older), { hasEvents: false, nextDueAt: at(8) }, 'another process has judged meanwhile')
  const searched = { lastCommitAt: null, countsFrom: at(-5 * hourMs) }
  t.strictSame(await judge(9, find('C', 'B', searched)), { hasEvents: false, nextDueAt: at(hourMs) })
  t.match(await read(), { headId: 'C', lastCommitAt: null })
})

test('with a longer age a stale branch is fresh; with another branch or path it starts over', async (t, { db }) => {
  const { repository, move, judge, listEvents } = await expect(db)
  await move('A', 0)
  const { expectation } = await addExpectation(db, repository, sixHours, optionsAt(0))
  const address = { repository, id: expectation.id }
  await judge(7 * hourMs)
  await updateExpectation(db, address, { maxAge: '1d', maxAgeMs: 24 * hourMs }, optionsAt(8 * hourMs))
  await judge(8 * hourMs)
  const told = ['NewCommit #1', 'RepositoryStale #1', 'RepositoryFresh #2']
  t.strictSame(await listEvents(), told)
  await judge(25 * hourMs)
  t.strictSame(await listEvents(), [...told, 'RepositoryStale #3'])
  await updateExpectation(db, address, { branch: 'dev' }, optionsAt(26 * hourMs))
  t.equal((await listExpectations(db, repository))[0]?.freshness, null)
  t.strictSame(await judge(26 * hourMs), { hasEvents: false, nextDueAt: at(50 * hourMs) })
})

test('receivers get them by event and branch, as streams do', async (t, { db }) => {
  const { repository, move, judge } = await expect(db)
  await move('A', 0)
  const repoId = repository.id
  const add = (alias: string, changes: object) =>
    addReceiver(db, { ...newWebhook(repoId, alias), ...changes }, { ...optionsAt(0) })
  await add('stale', { events: ['RepositoryStale'] })
  await add('other', { events: ['RepositoryStale'], branches: ['dev'] })
  await add('commits', {})
  await addExpectation(db, repository, sixHours, optionsAt(0))
  await claim(db, at(1))
  await judge(6 * hourMs)
  await move('B', 7 * hourMs)
  await judge(7 * hourMs)
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select(['alias', 'name'])
    .where('name', '<>', 'NewCommit')
    .orderBy('deliveries.number')
    .execute()
  t.strictSame(rows.map(({ alias, name }) => `${alias} ${name}`).toSorted(), [
    'hook RepositoryFresh',
    'hook RepositoryStale',
    'stale RepositoryStale',
  ])
  const page = await readEvents(db, { org: 'acme', repos: null, after: 0, through: 10, limit: 10 })
  t.strictSame(
    page.events.map(({ name, branch }) => `${name} ${branch}`),
    ['NewCommit main', 'RepositoryStale main', 'NewCommit main', 'RepositoryFresh main'],
  )
})

// Proves: a receiver that is enabled with the latest held deliveries gets the last commit beside the last state
test('a receiver that gets only the latest of what was held gets the last commit too', async (t, { db }) => {
  const { repository, receiver, move, judge } = await expect(db)
  await setEnabled(db, receiver, false, at(0))
  await addExpectation(db, repository, sixHours, optionsAt(0))
  for (const [index, id] of ['A', 'B'].entries()) {
    await move(id, index * 10 * hourMs)
    await judge(index * 10 * hourMs)
    await judge(index * 10 * hourMs + 6 * hourMs)
  }
  await setEnabled(db, receiver, true, at(20 * hourMs), 'latest')
  const events: string[] = []
  for (let next = await claim(db, at(21 * hourMs)); next.length > 0; next = [])
    events.push(...next.map(({ event }) => event.line))
  const waiting = await db
    .selectFrom('undelivered')
    .select('queue_position')
    .where('queue_position', 'is not', null)
    .execute()
  t.equal(waiting.length, 2, 'the last commit, and the last state')
  t.strictSame(events, ['moved'], 'the commit comes first')
})

test('what checks have found is listed by name, stale ones first', async (t, { db }) => {
  const { repository, move, judge } = await expect(db)
  await move('A', 0)
  await addExpectation(db, repository, { ...sixHours, maxAge: '1d', maxAgeMs: 24 * hourMs }, { by, now: at(0) })
  await addExpectation(db, repository, sixHours, { by, now: at(1) })
  t.strictSame(await listNewestFindings(db, 10), [], 'nobody has looked yet')
  await judge(7 * hourMs)
  const listed = await listFoundExpectations(db, { org: 'acme', names: ['ocean', 'weather'] }, 10)
  t.match(listed, [
    { repo: 'weather', maxAge: '6h', freshness: { staleSince: at(6 * hourMs), lastCommitAt: at(0) } },
    { repo: 'weather', maxAge: '1d', freshness: { staleSince: null } },
  ])
  t.strictSame(await listNewestFindings(db, 10), listed)
  t.strictSame(await listFoundExpectations(db, { org: 'acme', names: ['ocean'] }, 10), [])
  t.strictSame(await listNewestFindings(db, 1), listed.slice(0, 1))
})
