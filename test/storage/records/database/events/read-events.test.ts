import {
  type Database,
  type StreamEvent,
  readEventBounds,
  readEvents,
  readHead,
  recordHeadMove,
  transact,
} from '@floe/storage/database'
import { sql } from 'kysely'
import { t } from 'tap'
import { assignPositions } from '../../../../../storage/records/database/events/read-events.ts'
import { reachableEngines, testOnEngines } from '../engines.ts'
import { at, commit, expire, moveHead } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const readAll = async (db: Database, after = 0, repos: readonly string[] | null = null, limit = 100) => {
  const bounds = await readEventBounds(db, 'acme')
  const through = bounds.last
  return { bounds, ...(await readEvents(db, { org: 'acme', repos, after, through, limit })) }
}

const describe = (events: readonly StreamEvent[]) =>
  events.map(({ position, repo, payload }) => `${position} ${repo} ${JSON.parse(payload).to}`)

const test = await testOnEngines(t)

test('the events of each organisation are numbered and read in order', async (t, { db }) => {
  const [weather, ice] = [
    await rememberRepository(db, 'acme', 'weather', at(0)),
    await rememberRepository(db, 'acme', 'ice', at(0)),
  ]
  const foreign = await rememberRepository(db, 'other', 'weather', at(0))
  await moveHead(db, weather, ['A'], at(1))
  await moveHead(db, foreign, ['X', 'Y'], at(2))
  await moveHead(db, ice, ['B'], at(3))
  await moveHead(db, weather, ['C'], at(0))
  const all = await readAll(db)
  t.strictSame(describe(all.events), ['1 weather A', '2 ice B', '3 weather C'])
  t.strictSame([all.bounds, all.through], [{ last: 3, deletedThrough: 0 }, 3])
  t.strictSame(describe((await readAll(db, 1)).events), ['2 ice B', '3 weather C'])
  t.strictSame(describe((await readAll(db, 0, ['weather'])).events), ['1 weather A', '3 weather C'])
  const page = await readAll(db, 0, ['weather'], 1)
  t.strictSame([describe(page.events), page.through], [['1 weather A'], 1], 'what follows was not looked at')
  const none = await readAll(db, 0, [])
  t.strictSame([none.events, none.through], [[], 3], 'everything was looked at')
})

test('a move that is not recorded leaves no gap', async (t, { db }) => {
  const weather = await rememberRepository(db, 'acme', 'weather', at(0))
  await moveHead(db, weather, ['A'], at(1))
  const failed = transact(db, async (tx) => {
    const { number: _, position: __, ...event } = await tx.selectFrom('events').selectAll().executeTakeFirstOrThrow()
    const { number } = await tx
      .insertInto('events')
      .values({ ...event, id: 'lost', sequence: 9 })
      .returning('number')
      .executeTakeFirstOrThrow()
    await assignPositions(tx, [{ number, repo_id: weather }])
    throw new Error('the process was killed')
  })
  await t.rejects(failed, { message: 'the process was killed' })
  await moveHead(db, weather, ['B'], at(2))
  t.strictSame(describe((await readAll(db)).events), ['1 weather A', '2 weather B'])
})

test('what retention deletes is noted', async (t, { db }) => {
  const weather = await rememberRepository(db, 'acme', 'weather', at(0))
  for (const [index, head] of ['A', 'B', 'C', 'D'].entries()) await moveHead(db, weather, [head], at(index))
  const before = { eventsBefore: at(3), limit: 2 }
  t.equal(await expire(db, before), 2)
  t.strictSame((await readAll(db)).bounds, { last: 4, deletedThrough: 2 })
  t.equal(await expire(db, before), 1)
  const { bounds, events } = await readAll(db)
  t.strictSame([bounds, describe(events)], [{ last: 4, deletedThrough: 3 }, ['4 weather D']])
  t.equal(await expire(db, before), 0)
})

const postgres = (await reachableEngines(t)).find(({ newUrl }) => newUrl !== undefined)

t.test('an event whose transaction ends later does not come below one that was read', async (t) => {
  if (postgres === undefined) return
  const { db, connect } = await postgres.fresh(t)
  const [slow, other] = [await connect(), await connect()]
  const [weather, ice] = [
    await rememberRepository(db, 'acme', 'weather', at(0)),
    await rememberRepository(db, 'acme', 'ice', at(0)),
  ]
  await moveHead(db, weather, ['A'], at(1))
  const placed = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slowMove = transact(slow, async (tx) => {
    const { number: _, position: __, ...event } = await tx.selectFrom('events').selectAll().executeTakeFirstOrThrow()
    const payload = '{"to":"slow"}'
    const { number } = await tx
      .insertInto('events')
      .values({ ...event, id: 'slow', sequence: 9, payload })
      .returning('number')
      .executeTakeFirstOrThrow()
    await assignPositions(tx, [{ number, repo_id: weather }])
    placed.resolve()
    await release.promise
  })
  await placed.promise
  let hasEnded = false
  const previous = await readHead(db, ice, 'main')
  const event = { payload: '{"to":"quick"}', line: '' }
  const move = { repoId: ice, branch: 'main', previous, snapshotId: 'quick', commit, event }
  const quickMove = recordHeadMove(other, move, at(2)).finally(() => (hasEnded = true))
  // The quick transaction began after the slow one took its position. It waits for a lock now.
  for (let waiting = 0; waiting === 0;) {
    // Of this database alone: other test files use the same server.
    const activity = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    waiting = (await activity.execute(db)).rows.length
  }
  t.equal(hasEnded, false)
  t.strictSame(describe((await readAll(db)).events), ['1 weather A'])
  release.resolve()
  await Promise.all([slowMove, quickMove])
  t.strictSame(describe((await readAll(db)).events), ['1 weather A', '2 weather slow', '3 ice quick'])
})
