import {
  addExpectation,
  addReceiver,
  type CompletenessChange,
  type CompletenessJudgement,
  type Database,
  isCompletenessJudged,
  listExpectations,
  listNewestFindings,
  readHead,
  recordCompleteness,
  recordFreshness,
  recordHeadMove,
  updateExpectation,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { newWebhook, optionsAt } from '../receivers/edit-receivers.ts'
import { at, commit, repositoryWith, webhook } from '../recorded.ts'

const test = await testOnEngines(t)

const nearlyAll = { branch: 'main', path: 'a/**', maxAge: null, maxAgeMs: null, written: 0.99 }
const complete: CompletenessJudgement = { verdict: 'complete' }
const array = { path: 'a/t', chunks: { written: 46, total: 48 } }
const incomplete: CompletenessJudgement = { verdict: 'incomplete', arrays: [array], incompleteArrays: 3 }
const unknown: CompletenessJudgement = { verdict: 'unknown', reason: 'a\u0000: the grid is unknown', mayPass: false }

const describe = ({ name, expectation, findings, incompleteSince }: CompletenessChange) => {
  const details = { headId: findings.headId, incompleteSince }
  return { payload: JSON.stringify({ event: name, details }), line: `${name} ${expectation.branch}` }
}

/** A repository with an expectation, whose events all go to one webhook. */
async function expect(db: Database) {
  const events = ['NewCommit', 'DatasetIncomplete', 'DatasetComplete'] as const
  const { repoId } = await repositoryWith(db, [webhook('hook', { events, branches: ['**'] })])
  const repository = { id: repoId, org: 'acme', name: 'weather' }
  const move = async (snapshotId: string, ms: number) => {
    const previous = await readHead(db, repoId, 'main')
    const event = { payload: JSON.stringify({ event: 'NewCommit', details: { snapshotId } }), line: 'moved' }
    await recordHeadMove(db, { repoId, branch: 'main', snapshotId, commit, previous, event }, at(ms))
  }
  const { expectation } = await addExpectation(db, repository, nearlyAll, optionsAt(0))
  const find = async () => {
    const [state] = await listExpectations(db, repository)
    if (state === undefined) throw new Error('it is gone')
    return state
  }
  const judge = async (judgement: CompletenessJudgement, ms: number, from = find(), on = db) =>
    recordCompleteness(on, repository, { from: await from, judgement }, describe, at(ms))
  const listEvents = async () => {
    const rows = await db.selectFrom('events').select(['name', 'sequence']).orderBy('position').execute()
    return rows.map(({ name, sequence }) => `${name} #${sequence}`)
  }
  return { repository, id: expectation.id, move, find, judge, listEvents }
}

test('a judgement reads its expectation only, however many the repository has', async (t, { db }) => {
  const { repository, move, find, judge } = await expect(db)
  await move('A', 1)
  const from = await find()
  const countRows = async () => {
    let rows = 0
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rows += result.rows.length
        return result
      },
    })
    await judge(complete, 2, Promise.resolve(from), counting)
    return rows
  }
  const few = await countRows()
  for (const path of ['b', 'c', 'd']) await addExpectation(db, repository, { ...nearlyAll, path }, optionsAt(3))
  t.equal(await countRows(), few)
})

// Proves: each change of the state of written chunks is told once
test('each change of state is told once, whoever sees it', async (t, { db, connect }) => {
  const { repository, move, find, judge, listEvents } = await expect(db)
  t.ok(isCompletenessJudged(await find()), 'there is no head yet')
  await move('A', 1)
  t.notOk(isCompletenessJudged(await find()))
  t.strictSame(await judge(complete, 1), { hasEvent: false, isCurrent: true })
  await move('B', 2)
  const processes = [db, await connect(), await connect()]
  const from = find()
  await from
  const recorded = await Promise.all(processes.map((one) => judge(incomplete, 3, from, one)))
  t.equal(recorded.filter(({ hasEvent }) => hasEvent).length, 1)
  await move('C', 4)
  t.strictSame(await judge(incomplete, 5), { hasEvent: false, isCurrent: true })
  const found = { headId: 'C', incompleteSince: at(3), arrays: [array], incompleteArrays: 3, unknownReason: null }
  t.match(await listNewestFindings(db, 10), [{ repo: 'weather', freshness: null, completeness: found }])
  await move('D', 6)
  t.strictSame(await judge(complete, 7), { hasEvent: true, isCurrent: true })
  t.match(await find(), { completeness: { incompleteSince: null, arrays: [], incompleteArrays: 0 } })
  const moves = ['NewCommit #1', 'NewCommit #2', 'DatasetIncomplete #1', 'NewCommit #3', 'NewCommit #4']
  t.strictSame(await listEvents(), [...moves, 'DatasetComplete #2'])
  const last = await db.selectFrom('events').select('payload').orderBy('position', 'desc').executeTakeFirstOrThrow()
  t.match(JSON.parse(last.payload).details, { headId: 'D', incompleteSince: at(3).toISOString() })
  t.strictSame(
    await recordFreshness(db, { repository, checkedAt: at(9), found: new Map() }, () => describe(neverCalled()), at(9)),
    { hasEvents: false, nextDueAt: null },
    'its age is not judged',
  )
})

function neverCalled(): never {
  throw new Error('nothing has changed')
}

// Proves: where it is unknown how many chunks are written, no state changes
test('a head that cannot be judged changes no state, and the reason is shown', async (t, { db }) => {
  const { move, find, judge, listEvents } = await expect(db)
  await move('A', 1)
  t.strictSame(
    await judge({ ...unknown, mayPass: true }, 1),
    { hasEvent: false, isCurrent: false },
    'it is judged again',
  )
  t.strictSame(await judge(incomplete, 2), { hasEvent: true, isCurrent: true })
  await move('B', 3)
  t.strictSame(await judge(unknown, 4), { hasEvent: false, isCurrent: true })
  const unknownReason = 'a\ufffd: the grid is unknown'
  t.match(await find(), { completeness: { headId: 'B', incompleteSince: at(2), arrays: [array], unknownReason } })
  await move('C', 5)
  await judge(incomplete, 6)
  t.match(await find(), { completeness: { incompleteSince: at(2), unknownReason: null } })
  t.strictSame(await listEvents(), ['NewCommit #1', 'DatasetIncomplete #1', 'NewCommit #2', 'NewCommit #3'])
})

test('another share judges the same head again, and another demand starts over', async (t, { db }) => {
  const { repository, id, move, find, judge, listEvents } = await expect(db)
  await move('A', 1)
  await judge(incomplete, 1)
  const early = find()
  await early
  await updateExpectation(db, { repository, id }, { written: 0.5 }, optionsAt(2))
  t.strictSame(await judge(incomplete, 2, early), { hasEvent: false, isCurrent: false }, 'the share is another')
  t.notOk(isCompletenessJudged(await find()))
  t.strictSame(await judge(complete, 3), { hasEvent: true, isCurrent: true })
  t.strictSame(await listEvents(), ['NewCommit #1', 'DatasetIncomplete #1', 'DatasetComplete #2'])
  const daily = { maxAge: '1d', maxAgeMs: 86_400_000, written: null }
  await updateExpectation(db, { repository, id }, daily, optionsAt(4))
  t.match(await find(), { ...daily, freshness: null, completeness: null })
})

test('receivers select the events, also by the branch of the expectation', async (t, { db }) => {
  const { repository, move, judge } = await expect(db)
  const add = (alias: string, changes: object) =>
    addReceiver(db, { ...newWebhook(repository.id, alias), ...changes }, optionsAt(1))
  await add('complete', { events: ['DatasetComplete'] })
  await add('dev', { events: ['DatasetIncomplete'], branches: ['dev'] })
  await move('A', 2)
  await judge(incomplete, 3)
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select('alias')
    .where('events.name', '=', 'DatasetIncomplete')
    .execute()
  t.strictSame(rows, [{ alias: 'hook' }])
})
