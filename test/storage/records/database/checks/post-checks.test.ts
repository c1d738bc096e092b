import type { CheckState } from '@floe/contract/lists'
import {
  type CheckChange,
  type CheckResult,
  type Database,
  listAudit,
  listChecks,
  listFirstChecks,
  maxChecks,
  postChecks,
  readEvents,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, by, moveHead, repositoryWith, webhook } from '../recorded.ts'

const test = await testOnEngines(t)

/** What a check says. */
function say(state: CheckState, changes: Partial<CheckResult> = {}): CheckResult {
  return { name: 'quality', state, text: null, link: null, figures: {}, ...changes }
}

/** Writes an event as it was recorded. */
const describe = ({ snapshotId, branch, result, previousState }: CheckChange) => {
  const line = `${snapshotId} ${branch}: ${result.name} ${previousState} -> ${result.state}`
  return { payload: JSON.stringify({ event: 'CheckPosted', details: {} }), line }
}

/** A repository with two heads, one of which two branches share, and a webhook that gets the events of checks. */
async function checkedRepository(db: Database, name = 'weather') {
  const hook = webhook('hook', { events: ['NewCommit', 'CheckPosted'], branches: ['main'] })
  const { repoId } = await repositoryWith(db, [hook], name)
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const repository = { id: repoId, org: 'acme', name }
  const post = (results: readonly CheckResult[], ms: number, snapshotId = 'B', on: Database = db) => {
    const branches = snapshotId === 'B' ? ['main', 'not watched'] : []
    return postChecks(on, { repository, snapshotId, branches }, results, describe, { by, now: at(ms) })
  }
  const list = (snapshotId = 'B') => listChecks(db, { org: 'acme', repo: name, snapshotId })
  const listLines = async () => {
    const rows = await db
      .selectFrom('events')
      .select(['line', 'ref', 'sequence'])
      .where('name', '=', 'CheckPosted')
      .where('repo_id', '=', repoId)
      .orderBy('position')
      .execute()
    return rows.map(({ line, ref, sequence }) => `${line} (${ref} #${sequence})`)
  }
  return { repoId, post, list, listLines }
}

// Proves: each change of the state of a check is told once
test('a check replaces what it said before, and each change of its state is told once', async (t, { db, connect }) => {
  const { repoId, post, list, listLines } = await checkedRepository(db)
  t.match(await post([say('pending')], 2), { hasEvents: true, audit: [{ action: 'check.post', before: null }] })
  const failed = say('failed', {
    text: 'step 12 is NaN',
    link: 'https://ci.example.org/17',
    figures: { 'NaN share': { value: 98.2, unit: '%' }, steps: { value: 12 } },
  })
  const processes = [db, await connect(), await connect()]
  const posts = await Promise.all(processes.map((one) => post([failed], 3, 'B', one)))
  t.equal(posts.filter(({ hasEvents }) => hasEvents).length, 1)
  t.equal(posts.flatMap(({ audit }) => audit).length, 1, 'what says the same changes nothing')
  t.strictSame(await list(), [{ ...failed, postedAt: at(3) }])
  t.match(await post([{ ...failed, text: 'step 13 is NaN' }], 4), {
    hasEvents: false,
    audit: [{ subjectId: 'B/quality' }],
  })
  t.match(await list(), [{ text: 'step 13 is NaN', postedAt: at(4) }])
  t.strictSame(await listLines(), [
    'B main: quality null -> pending (check/quality/main #1)',
    'B main: quality pending -> failed (check/quality/main #2)',
  ])
  const audit = await listAudit(db, { repoId, limit: 10 })
  t.match(audit[1], {
    keyId: by.id,
    repoName: 'weather',
    subjectId: 'B/quality',
    before: { state: 'pending' },
    after: { state: 'failed', link: failed.link, figures: { steps: { value: 12, unit: null } } },
  })
})

test('a check of a snapshot that is no head is told without a branch, whatever branches are selected', async (t, {
  db,
}) => {
  const { post, listLines } = await checkedRepository(db)
  await post([say('passed')], 2, 'A')
  t.strictSame(await listLines(), ['A null: quality null -> passed (check/quality/ #1)'])
  const sent = db.selectFrom('deliveries').innerJoin('events', 'events.number', 'event_number').select('events.line')
  t.strictSame(
    (await sent.orderBy('events.number').execute()).map(({ line }) => line),
    ['now at A', 'now at B', 'A null: quality null -> passed'],
  )
  const { events } = await readEvents(db, { org: 'acme', repos: null, after: 2, through: 3, limit: 10 })
  t.match(events, [{ name: 'CheckPosted', branch: null }])
  await post([say('failed')], 4)
  const later = await readEvents(db, { org: 'acme', repos: null, after: 3, through: 4, limit: 10 })
  t.match(later.events, [{ name: 'CheckPosted', branch: 'main' }])
})

// Proves: a report of checks is recorded whole or not at all
test('a report is recorded whole or not at all', async (t, { db }) => {
  const { repoId, post, list, listLines } = await checkedRepository(db)
  const many = (count: number) =>
    Array.from({ length: count }, (_, number) => say('passed', { name: `check-${number}` }))
  await post(many(maxChecks.ofSnapshot - 1), 2)
  const told = (await listLines()).length
  const two = [say('passed', { name: 'one' }), say('passed', { name: 'two' })]
  await t.rejects(post(two, 3), { name: 'RecordProblem', code: 'too-many-checks' })
  t.equal((await list()).length, maxChecks.ofSnapshot - 1)
  t.equal((await listLines()).length, told)
  t.equal((await listAudit(db, { repoId, limit: 200 })).length, maxChecks.ofSnapshot - 1)
  await post(two.slice(1), 4)
  await post([say('failed', { name: 'two' })], 5)
  t.strictSame(
    (await list()).slice(0, 2).map(({ name }) => name),
    ['two', 'check-0'],
    'newest first, then by name',
  )
  await post(two, 6, 'A')
  await post([say('error', { name: 'zone' })], 7, 'A')
  const found = await listFirstChecks(db, { org: 'acme', repo: 'weather' }, ['A', 'B', 'C'], 2)
  const shown = [...found].map(([id, { checks, count }]) => [id, checks.map(({ name }) => name).join(' '), count])
  t.strictSame(
    shown.toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
    [
      ['A', 'zone one', 3],
      ['B', 'two check-0', 50],
    ],
  )
  t.equal((await listFirstChecks(db, { org: 'acme', repo: 'other' }, ['A', 'B'], 2)).size, 0)
})

// Proves: a repository keeps its newest checks
test('the newest checks of a repository are kept', async (t, { db }) => {
  const { repoId, post, list } = await checkedRepository(db)
  const other = await checkedRepository(db, 'ocean')
  await other.post([say('passed')], 0)
  const rows = Array.from({ length: maxChecks.ofRepository }, (_, number) => ({
    repo_id: repoId,
    snapshot_id: `S${number}`,
    name: 'quality',
    state: 'passed' as const,
    text: null,
    link: null,
    figures: '{}',
    posted_at: at(number).getTime(),
  }))
  for (let start = 0; start < rows.length; start += 1_000)
    await db
      .insertInto('checks')
      .values(rows.slice(start, start + 1_000))
      .execute()
  const count = async () => {
    const query = db
      .selectFrom('checks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('repo_id', '=', repoId)
    return (await query.executeTakeFirstOrThrow()).count
  }
  await post([say('passed'), say('passed', { name: 'another' })], maxChecks.ofRepository)
  t.equal(await count(), maxChecks.ofRepository)
  t.equal((await list()).length, 2)
  t.strictSame([await list('S0'), await list('S1')], [[], []])
  t.equal((await list('S2')).length, 1)
  t.equal((await other.list()).length, 1)
})
