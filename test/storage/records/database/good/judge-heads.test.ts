import type { CheckState } from '@floe/contract/lists'
import {
  addExpectation,
  type Database,
  judgeHeads,
  type JudgedHead,
  type Judgement,
  listExpectedBranches,
  maxSeenHeads,
  type NewExpectation,
  postChecks,
  readHead,
  recordRefChange,
  rememberHead,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { contract, expectedRepository, fresh, met, unmet } from '../expectations/expected.ts'
import { optionsAt } from '../receivers/edit-receivers.ts'
import { at, moveHead } from '../recorded.ts'

const test = await testOnEngines(t)

/** What an expectation of good heads asks. */
function goodWith(settings: object, changes: Partial<NewExpectation> = {}): NewExpectation {
  return { ...fresh, kind: 'good', settings: { checks: null, expectations: null, ...settings }, ...changes }
}

/** Writes heads in a line each: `B #2 failed: quality failed NaN`. */
function write(heads: readonly JudgedHead[]): string[] {
  return heads.map(({ snapshotId, sequence, state, lacks }) => {
    const words = lacks.map(({ name, state: lacking, text }) => [name, lacking, text].filter(Boolean).join(' '))
    return `${snapshotId} #${sequence} ${state}${words.length === 0 ? '' : `: ${words.join(', ')}`}`
  })
}

/** A repository with these expectations, in which heads, checks and verdicts can come. */
async function goodRepository(db: Database, ...added: readonly NewExpectation[]) {
  const expected = await expectedRepository(db)
  const { repository } = expected
  for (const [place, one] of added.entries()) await addExpectation(db, repository, one, optionsAt(place - 100))
  const judgeAt = (ms: number, limit = 100) => judgeHeads(db, repository, 'main', { limit, now: at(ms) })
  return {
    ...expected,
    judgeAt,
    listAt: async (ms: number, limit?: number) => write((await judgeAt(ms, limit)).heads),
    check: (snapshotId: string, state: CheckState, ms: number, name = 'quality') => {
      const result = { name, state, text: state === 'failed' ? 'NaN' : null, link: null, figures: {} }
      const snapshot = { repository, snapshotId, branches: ['main'] }
      return postChecks(db, snapshot, [result], () => ({ payload: '{}', line: '' }), optionsAt(ms))
    },
  }
}

test('without an expectation of good heads, no head is good, and none is remembered', async (t, { db }) => {
  const { move, judgeAt } = await goodRepository(db, fresh)
  await move('A', 1)
  t.strictSame(await judgeAt(2), { requirements: null, heads: [] })
  t.strictSame(await db.selectFrom('seen_heads').selectAll().execute(), [])
})

// Proves: a head is good only when each check that is asked for has passed
test('a head is good when its checks have passed, and fails when one fails or is missing for too long', async (t, {
  db,
}) => {
  const asked = goodWith({ checks: ['quality', 'range'] }, { within: '1s', withinMs: 100 })
  const { move, check, judgeAt, listAt } = await goodRepository(db, asked)
  await move('A', 1)
  t.strictSame(await listAt(2), ['A #1 pending: quality missing, range missing'])
  t.match(await judgeAt(2), {
    requirements: { checks: ['quality', 'range'], expectations: [] },
    heads: [{ seenAt: at(1), dueAt: at(101) }],
  })
  await check('A', 'passed', 3)
  await check('A', 'pending', 3, 'range')
  await check('A', 'failed', 3, 'nobody asked')
  t.strictSame(await listAt(100), ['A #1 pending: range pending'])
  t.strictSame(await listAt(101), ['A #1 failed: range pending'])
  await check('A', 'passed', 102, 'range')
  t.strictSame(await listAt(103), ['A #1 good'], 'what comes late counts')
  await move('B', 104)
  await check('B', 'error', 105)
  await check('B', 'failed', 105, 'range')
  t.strictSame(await listAt(106), ['B #2 failed: quality error, range failed NaN', 'A #1 good'])
  t.strictSame(await listAt(106, 1), ['B #2 failed: quality error, range failed NaN'])
})

test('without a time limit, what is missing stays pending', async (t, { db }) => {
  const { move, listAt, judgeAt } = await goodRepository(db, goodWith({ checks: ['quality'] }))
  await move('A', 1)
  t.strictSame(await listAt(1e9), ['A #1 pending: quality missing'])
  t.match(await judgeAt(2), { heads: [{ dueAt: null }] })
})

test('the verdicts of the expectations that judge heads count, each for its head', async (t, { db }) => {
  const named = { ...contract, alias: 'maps' }
  const { move, find, judge, listAt } = await goodRepository(db, named, fresh, goodWith({}))
  await move('A', 1)
  t.strictSame(await listAt(2), ['A #1 pending: maps missing'], 'the freshness says nothing about a head')
  await judge(await find(), met, 2, db, true)
  const late = await find()
  await move('B', 3)
  t.strictSame(await listAt(4), ['B #2 pending: maps missing', 'A #1 good'])
  await judge({ ...late, head: (await find()).head }, unmet, 4, db, true)
  t.strictSame(await listAt(5), ['B #2 failed: maps unmet', 'A #1 good'])
})

test('a verdict that comes late counts for its head alone', async (t, { db }) => {
  const { move, find, judge, listAt } = await goodRepository(db, contract, goodWith({}))
  await move('A', 1)
  const early = await find()
  await move('B', 2)
  await judge(early, unmet, 3, db, true)
  t.strictSame(await listAt(4), ['B #2 pending: contract missing', 'A #1 failed: contract unmet'])
  await judge(await find(), met, 5, db, true)
  await judge(early, met, 6, db, true)
  t.strictSame(await listAt(7), ['B #2 good', 'A #1 failed: contract unmet'], 'overtaken by the judgement of B')
})

test('what is expected later asks nothing of the heads before, but what it finds counts', async (t, { db }) => {
  const { repository, move, judge, listAt } = await goodRepository(db, goodWith({}))
  for (const [place, id] of ['A', 'B'].entries()) await move(id, place)
  await addExpectation(db, repository, contract, optionsAt(5))
  t.strictSame(await listAt(6), ['B #2 good', 'A #1 good'])
  const [asked] = await db.selectFrom('expectations').select('id').where('kind', '=', 'contract').execute()
  const branches = await listExpectedBranches(db, repository)
  const from = branches.find(({ expectation }) => expectation.id === asked?.id)
  if (from === undefined) throw new Error('nothing is expected')
  await judge(from, unmet, 7, db, true)
  t.strictSame(await listAt(8), ['B #2 failed: contract unmet', 'A #1 good'])
})

test('only the named expectations count, and a name that nobody has is never met', async (t, { db }) => {
  const asked = goodWith({ expectations: ['tiles', 'nobody'] }, { within: '1s', withinMs: 10 })
  const others = ['maps', 'tiles'].map((alias) => ({ ...contract, alias }))
  const { move, listAt, judgeAt } = await goodRepository(db, ...others, asked)
  await move('A', 1)
  t.strictSame(await listAt(2), ['A #1 failed: tiles missing, nobody unmet no expectation has this alias'])
  t.match((await judgeAt(2)).requirements, { expectations: ['tiles', 'nobody'] })
})

test('all expectations of good heads that cover a branch count, with the shortest time', async (t, { db }) => {
  const soon = goodWith({ checks: ['quality'], expectations: [] }, { within: '1s', withinMs: 10 })
  const later = goodWith({ checks: ['range', 'quality'] }, { branch: 'ma*', within: '2s', withinMs: 20 })
  const other = goodWith({ checks: ['never'] }, { branch: 'dev' })
  const { move, check, listAt } = await goodRepository(db, later, soon, other)
  await move('A', 0)
  t.strictSame(await listAt(9), ['A #1 pending: range missing, quality missing'])
  t.strictSame(await listAt(10), ['A #1 failed: range missing, quality missing'])
  await check('A', 'passed', 11)
  t.strictSame(await listAt(19), ['A #1 pending: range missing'])
})

test('a judgement that a check has overtaken does not count', async (t, { db }) => {
  const { move, check, find, judge } = await goodRepository(db, goodWith({ checks: ['quality'] }))
  await move('A', 1)
  await check('A', 'passed', 2)
  const from = await find()
  await check('A', 'failed', 3)
  const good: Judgement = { verdict: 'met', facts: { last_good_snapshot_id: 'A', behind: 0, lacks: [] } }
  t.match(await judge(from, good, 4), { hasEvents: false, isCurrent: false })
  await check('A', 'passed', 5)
  t.match(await judge(await find(), good, 6), { hasEvents: true, isCurrent: true })
})

test('a reset to an older good head makes it the newest, and its checks still count', async (t, { db }) => {
  const { move, check, listAt } = await goodRepository(db, goodWith({ checks: ['quality'] }))
  await move('A', 1)
  await check('A', 'passed', 2)
  await move('B', 3)
  await check('B', 'failed', 4)
  await move('A', 5)
  t.strictSame(await listAt(6), ['A #3 good', 'B #2 failed: quality failed NaN', 'A #1 good'])
})

test('a branch that is deleted forgets its heads, and keeps counting', async (t, { db }) => {
  const { repository, move, listAt, judgeAt } = await goodRepository(db, goodWith({}, { branch: '*' }))
  const commit = { message: '', author: null, writtenAt: at(0) }
  const texts = { payload: '{}', line: '' }
  await move('A', 1)
  const created = [{ name: 'BranchCreated' as const, ...texts }]
  const to = { snapshotId: 'A', commit }
  await recordRefChange(db, repository.id, { kind: 'branch', name: 'dev', from: null, to, events: created }, at(2))
  const dev = () => judgeHeads(db, repository, 'dev', { limit: 10, now: at(9) })
  t.strictSame(write((await dev()).heads), ['A #1 good'])
  const from = await readHead(db, repository.id, 'dev')
  if (from === null) throw new Error('there is no branch')
  const deleted = [{ name: 'BranchDeleted' as const, ...texts }]
  await recordRefChange(db, repository.id, { kind: 'branch', name: 'dev', from, to: null, events: deleted }, at(3))
  t.strictSame((await dev()).heads, [])
  await recordRefChange(db, repository.id, { kind: 'branch', name: 'dev', from: null, to, events: created }, at(4))
  t.strictSame(write((await dev()).heads), ['A #3 good'])
  t.strictSame(await listAt(5), ['A #1 good'])
  t.equal((await judgeAt(5)).heads.length, 1)
})

test('the head that was there before somebody asked is remembered once', async (t, { db }) => {
  const { repository, move, listAt } = await goodRepository(db)
  await move('A', 1)
  await addExpectation(db, repository, goodWith({}), optionsAt(2))
  t.strictSame(await listAt(3), [])
  for (const ms of [3, 4]) await rememberHead(db, repository.id, 'main', at(ms))
  t.strictSame(await listAt(5), ['A #1 good'])
})

test(`the newest ${maxSeenHeads} heads of a branch are kept, and verdicts about no others`, async (t, { db }) => {
  const { repository, move, find, judge, judgeAt } = await goodRepository(db, contract, goodWith({}))
  const old = Array.from({ length: maxSeenHeads }, (_, place) => ({
    repo_id: repository.id,
    branch: 'main',
    sequence: place + 1,
    snapshot_id: `S${place + 1}`,
    seen_at: at(place).getTime(),
    last_expectation: 2,
  }))
  await moveHead(db, repository.id, ['S1'], at(0))
  await judge(await find(), met, 0, db, true)
  await db.deleteFrom('seen_heads').execute()
  for (let start = 0; start < old.length; start += 200)
    await db
      .insertInto('seen_heads')
      .values(old.slice(start, start + 200))
      .execute()
  await db.updateTable('heads').set({ sequence: maxSeenHeads }).execute()
  await move('Z', 2_000)
  const { heads } = await judgeAt(2_001, 10_000)
  t.equal(heads.length, maxSeenHeads)
  t.strictSame([heads[0]?.snapshotId, heads.at(-1)?.snapshotId], ['Z', 'S2'])
  await judge(await find(), met, 2_002, db, true)
  const verdicts = await db.selectFrom('head_verdicts').select('snapshot_id').execute()
  t.strictSame(verdicts, [{ snapshot_id: 'Z' }])
})
