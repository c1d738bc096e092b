import { defaultFilter, type EventFilter } from '@floe/contract/lists'
import {
  addExpectation,
  addReceiver,
  type Database,
  deleteExpectation,
  type Judgement,
  type NewExpectation,
  readEvents,
  recordJudgements,
  updateExpectation,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { newWebhook, optionsAt } from '../receivers/edit-receivers.ts'
import { at, claim, setEnabled } from '../recorded.ts'
import { describeChange, expectedRepository, fresh, listWrites, met, unmet } from './expected.ts'

const test = await testOnEngines(t)

const unknown = { verdict: 'unknown', reason: 'it is too large', mayPass: false } as const
const halfHour = { within: '30m', withinMs: 30 }

/** A repository with one expectation. */
async function expectOne(db: Database, changes: Partial<NewExpectation> = {}) {
  const expected = await expectedRepository(db)
  const { expectation } = await addExpectation(db, expected.repository, { ...fresh, ...changes }, optionsAt(0))
  return { ...expected, expectation }
}

test('each change of state is told once, whichever process sees it', async (t, { db, connect }) => {
  const { move, find, judge, listEvents } = await expectOne(db)
  await move('A', 1)
  t.strictSame(await judge(await find(), met, 1), { hasEvents: false, isCurrent: true, nextDueAt: null })
  await move('B', 2)
  const from = await find()
  const processes = [db, await connect(), await connect()]
  const recorded = await Promise.all(processes.map((one) => judge(from, unmet, 3, one)))
  t.equal(recorded.filter(({ hasEvents }) => hasEvents).length, 1)
  t.match(await find(), { state: { headId: 'B', verdict: 'unmet', unmetSince: at(3), facts: { found: 1 } } })
  await move('C', 4)
  t.strictSame(await judge(await find(), unmet, 5), { hasEvents: false, isCurrent: true, nextDueAt: null })
  await move('D', 6)
  await judge(await find(), met, 7)
  t.match(await find(), { state: { headId: 'D', verdict: 'met', failingSince: null, unmetSince: null } })
  t.strictSame(await listEvents(), ['ExpectationUnmet main #1 since 3, at B', 'ExpectationMet main #2 since 3, at D'])
})

test('a failure is told when its grace is over, also while a new head waits to be judged', async (t, { db }) => {
  const { move, find, judge, listEvents } = await expectOne(db, halfHour)
  await move('A', 1)
  t.strictSame(await judge(await find(), unmet, 10), { hasEvents: false, isCurrent: true, nextDueAt: at(40) })
  t.match(await find(), { state: { verdict: null, failingSince: at(10), unmetSince: null, dueAt: at(40) } })
  t.strictSame(await judge(await find(), { verdict: 'unchanged' }, 39), {
    hasEvents: false,
    isCurrent: true,
    nextDueAt: at(40),
  })
  const from = await find()
  await move('B', 39)
  t.strictSame(await judge(from, { verdict: 'unchanged' }, 40), { hasEvents: true, isCurrent: true, nextDueAt: null })
  t.match(await find(), { state: { headId: 'A', verdict: 'unmet', unmetSince: at(10), dueAt: null } }, 'not B yet')
  await judge(await find(), met, 41)
  t.strictSame(await listEvents(), ['ExpectationUnmet main #1 since 10, at A', 'ExpectationMet main #2 since 10, at B'])
})

// Proves: while a branch stays unmet, it is told again once a period, whichever process sees it
test('a reminder is told once when its period is over, whichever process sees it', async (t, { db, connect }) => {
  const { move, find, judge, listEvents } = await expectOne(db, { remind: '1m', remindMs: 60 })
  await move('A', 1)
  t.match(await judge(await find(), unmet, 2), { hasEvents: true, nextDueAt: at(62) })
  const again = { verdict: 'unchanged' } as const
  t.match(await judge(await find(), again, 61), { hasEvents: false, nextDueAt: at(62) })
  await move('B', 61)
  const processes = [db, await connect(), await connect()]
  const from = await find()
  const recorded = await Promise.all(processes.map((one) => judge(from, again, 70, one)))
  t.equal(recorded.filter(({ hasEvents }) => hasEvents).length, 1)
  t.match(await find(), { state: { headId: 'A', unmetSince: at(2), toldAt: at(70) } })
  t.match(await judge(await find(), unknown, 130), { hasEvents: true }, 'it counts from the last one')
  t.match(await judge(await find(), met, 150), { hasEvents: true, nextDueAt: null })
  t.strictSame(await judge(await find(), again, 900), { hasEvents: false, isCurrent: true, nextDueAt: null })
  t.strictSame(await listEvents(), [
    'ExpectationUnmet main #1 since 2, at A',
    'ExpectationUnmet main #2 since 2, at A, again',
    'ExpectationUnmet main #3 since 2, at B, it is too large, again',
    'ExpectationMet main #4 since 2, at B',
  ])
})

test('a failure that ends within its grace is never told, and the next has a grace of its own', async (t, { db }) => {
  const { move, find, judge, listEvents } = await expectOne(db, halfHour)
  await move('A', 1)
  await judge(await find(), unmet, 10)
  await judge(await find(), met, 30)
  t.strictSame(await judge(await find(), unmet, 50), { hasEvents: false, isCurrent: true, nextDueAt: at(80) })
  t.strictSame(await listEvents(), [])
})

test('a failure that began earlier counts from then', async (t, { db }) => {
  const { move, find, judge, listEvents } = await expectOne(db, halfHour)
  await move('A', 1)
  const until: Judgement = { verdict: 'met', facts: {}, dueAt: at(6) }
  t.strictSame(await judge(await find(), until, 2), { hasEvents: false, isCurrent: true, nextDueAt: at(6) })
  t.match(await judge(await find(), { verdict: 'unmet', facts: {}, since: at(6) }, 36), { hasEvents: true })
  t.strictSame(await listEvents(), ['ExpectationUnmet main #1 since 6, at A'])
})

// Proves: a head that cannot be judged changes no state of an expectation
test('a head that cannot be judged changes no state, and the reason is shown', async (t, { db }) => {
  const { move, find, judge, listEvents } = await expectOne(db)
  await move('A', 1)
  t.strictSame(await judge(await find(), unknown, 1), { hasEvents: false, isCurrent: true, nextDueAt: null })
  t.match(await find(), { state: { headId: 'A', verdict: null, facts: null, reason: 'it is too large' } })
  await judge(await find(), unmet, 2)
  t.match(await find(), { state: { verdict: 'unmet', reason: null } })
  await move('B', 3)
  const passing = { ...unknown, reason: 'the store \0 failed', mayPass: true }
  t.match(await judge(await find(), passing, 4), { hasEvents: false, isCurrent: false }, 'it is judged again')
  const known = { verdict: 'unmet', unmetSince: at(2), facts: { found: 1 } }
  t.match(await find(), { state: { ...known, headId: 'A', reason: 'the store \ufffd failed' } }, 'B is not judged yet')
  await judge(await find(), unknown, 5)
  t.match(await find(), { state: { ...known, headId: 'B', reason: 'it is too large' } })
  t.strictSame(await listEvents(), ['ExpectationUnmet main #1 since 2, at A'])
})

test('while a head cannot be judged, a grace goes on, and what was due is due no more', async (t, { db }) => {
  const { move, find, judge } = await expectOne(db, halfHour)
  await move('A', 1)
  await judge(await find(), { verdict: 'met', facts: {}, dueAt: at(6) }, 1)
  t.match(await judge(await find(), unknown, 5), { nextDueAt: at(6) })
  t.match(await judge(await find(), unknown, 6), { nextDueAt: null })
  await judge(await find(), unmet, 7)
  t.match(await judge(await find(), unknown, 8), { hasEvents: false, nextDueAt: at(37) })
  t.match(await judge(await find(), unknown, 37), { hasEvents: true, nextDueAt: null })
})

test('a branch that is gone is forgotten, and ends what was told of it', async (t, { db }) => {
  const { move, find, judge, listEvents } = await expectOne(db, { branch: '*' })
  for (const branch of ['main', 'dev']) await move('A', 1, branch)
  await judge(await find('dev'), unmet, 2)
  await judge(await find('main'), met, 2)
  await db.deleteFrom('heads').execute()
  for (const branch of ['main', 'dev']) await judge(await find(branch), { verdict: 'gone' }, 3)
  t.strictSame(await db.selectFrom('expectation_states').selectAll().execute(), [])
  const ended = 'ExpectationMet dev #2 since 2, at A, The branch was deleted'
  t.strictSame(await listEvents(), ['ExpectationUnmet dev #1 since 2, at A', ended])
})

// Proves: a judgement that another process overtook is ignored
test('a judgement counts only for the state, the head and the expectation that it is about', async (t, { db }) => {
  const { repository, expectation, move, find, judge, listEvents } = await expectOne(db)
  const ignored = { hasEvents: false, isCurrent: false }
  const address = { owner: repository, id: expectation.id }
  await move('A', 1)
  const early = await find()
  await judge(early, met, 2)
  t.match(await judge(early, unmet, 3), ignored, 'another process was quicker')
  const beforeMove = await find()
  await move('B', 4)
  t.match(await judge(beforeMove, unmet, 5), ignored, 'the branch has moved')
  const beforeChange = await find()
  await updateExpectation(db, address, { alias: 'maps' }, describeChange, optionsAt(6))
  t.match(await judge(beforeChange, unmet, 7), ignored, 'the expectation is another')
  t.match(await find(), { state: { headId: '', version: 1, verdict: 'met' } }, 'the head must be judged again')
  const beforeDeletion = await find()
  await deleteExpectation(db, address, describeChange, optionsAt(8))
  t.match(await judge(beforeDeletion, unmet, 9), ignored, 'the expectation is gone')
  t.strictSame(await listEvents(), [])
})

test('a judgement of a head counts for that head, though the branch moves faster than it is judged', async (t, {
  db,
}) => {
  const { move, find, judge } = await expectOne(db)
  await move('A', 1)
  const from = await find()
  await move('B', 2)
  t.match(await judge(from, unmet, 3, db, true), { hasEvents: true, isCurrent: false })
  t.match(await find(), { head: { snapshotId: 'B' }, state: { headId: 'A', unmetSince: at(3) } })
})

test('a check that began earlier does not end a failure that a later one has found', async (t, { db }) => {
  const { move, find, judge } = await expectOne(db)
  await move('A', 1)
  await judge(await find(), { verdict: 'unmet', facts: {}, since: at(6) }, 7)
  const earlier: Judgement = { verdict: 'met', facts: {}, dueAt: at(6) }
  t.match(await judge(await find(), earlier, 5), { hasEvents: false, isCurrent: false })
  t.match(await find(), { state: { verdict: 'unmet' } })
})

test('nothing is written if nothing changes', async (t, { db }) => {
  const { repository, move, find, judge } = await expectOne(db)
  await move('A', 1)
  await judge(await find(), unmet, 2)
  const from = await find()
  const writes = await listWrites(db, (spied) =>
    recordJudgements(spied, repository, [{ from, judgement: unmet }], describeChange, { checkedAt: at(3) }),
  )
  t.strictSame(writes, [])
})

test('receivers get them by event, branch and kind, as streams do by event and branch', async (t, { db }) => {
  const { repository, move, find, judge } = await expectOne(db)
  const add = (alias: string, filter: Partial<EventFilter>) =>
    addReceiver(db, { ...newWebhook(repository.id, alias), filter: { ...defaultFilter, ...filter } }, optionsAt(0))
  await add('unmet', { events: ['ExpectationUnmet'] })
  await add('other', { events: ['ExpectationUnmet'], branches: ['dev'] })
  await add('commits', {})
  await add('kind', { events: ['ExpectationUnmet'], kinds: ['contract', 'freshness'] })
  await add('other-kind', { events: ['ExpectationUnmet'], kinds: ['contract'] })
  await move('A', 1)
  await judge(await find(), unmet, 2)
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select('alias')
    .where('name', '=', 'ExpectationUnmet')
    .orderBy('alias')
    .execute()
  t.strictSame(rows, [{ alias: 'hook' }, { alias: 'kind' }, { alias: 'unmet' }])
  const { events } = await readEvents(db, { org: 'acme', repos: null, after: 0, through: 10, limit: 10 })
  t.match(events, [{ name: 'NewCommit' }, { name: 'ExpectationUnmet', branch: 'main' }])
})

// Proves: a receiver that is enabled with the latest held deliveries gets the last commit beside the last state
test('a receiver that gets only the latest of what was held gets the last commit too', async (t, { db }) => {
  const { receiver, move, find, judge } = await expectOne(db)
  await setEnabled(db, receiver, false, at(0))
  for (const [id, judgement, ms] of [
    ['A', unmet, 1],
    ['B', met, 3],
  ] as const) {
    await move(id, ms)
    await judge(await find(), judgement, ms + 1)
  }
  await setEnabled(db, receiver, true, at(5), 'latest')
  const waiting = await db
    .selectFrom('undelivered')
    .select('queue_position')
    .where('queue_position', 'is not', null)
    .execute()
  t.equal(waiting.length, 2, 'the last commit, and the last state')
  t.strictSame(
    (await claim(db, at(6))).map(({ event }) => event.line),
    ['moved'],
    'the commit comes first',
  )
})
