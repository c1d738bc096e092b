// When expectations are judged, in a repository in memory whose head and time move by hand.
import { addExpectation, deleteExpectation, listExpectedBranches, type NewExpectation } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { describeExpectation } from '../../../../server/expectations/describe-event.ts'
import { Judgements } from '../../../../server/notifications/watch/judgements.ts'
import { RequestProblem } from '../../../../server/problems/request-problem.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { buildId, buildRepo } from '../../../storage/repositories/icechunk/build-object.ts'
import { expectMain, listExpectationEvents } from '../../expectations/start-judging.ts'
import { findWeather, intervalMs, makeWatcher, noPartitions, startWatcher, watch } from './watch.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const stepMs = 1_000
const by = { org: 'acme', id: '0123456789abcdef', name: null }

/** The bytes of a repository with a commit at each of these times; `main` is at the last, `dev` at the first. */
function build(times: readonly number[]): Uint8Array {
  const snapshots = times.map((time, index) => ({
    id: buildId(index + 1),
    parent: index - 1,
    time: BigInt(time) * 1_000n,
  }))
  return buildRepo({
    snapshots,
    branches: [
      ['dev', 0],
      ['main', times.length - 1],
    ],
  })
}

/** A watched repository, and `EVENT #SEQUENCE BRANCH LAST` of each event about an expectation. */
async function follow(t: Test) {
  const times: number[] = []
  const store = new MemoryStore([])
  const parts = await watch(t, { weather: store })
  const { db, timing, watcher, catalog } = parts
  /** Commits to `main` now. */
  const commit = (ageMs = 0) => {
    times.push(timing.now() - ageMs)
    store.objects.set('repo', build(times))
  }
  commit()
  const entry = await findWeather(catalog)
  await watcher.check(entry)
  const expect = async (maxAgeMs: number, changes: Partial<NewExpectation> = {}) => {
    const settings = { max_age: `${maxAgeMs / minuteMs}m`, due: null, days: null, path: null }
    const added = expectMain('freshness', { settings, ...changes })
    const { expectation } = await addExpectation(db, entry, added, { by, now: new Date(timing.now()) })
    watcher.review()
    return expectation.id
  }
  const start = timing.now()
  const listEvents = () =>
    listExpectationEvents(db, ({ facts }) => {
      const last = (facts as unknown as Record<string, string | null>)['last_commit_at'] ?? null
      return ` ${last === null ? '-' : Math.round((Date.parse(last) - start) / minuteMs)}`
    })
  return { ...parts, store, entry, commit, expect, listEvents }
}

// Proves: a branch becomes stale when the age of its last commit passes, and fresh with the next commit
t.test('a branch is stale when its last commit is too old, and fresh after the next', async (t) => {
  const { timing, commit, expect, listEvents, db } = await follow(t)
  await expect(10 * minuteMs)
  await timing.pass(9 * minuteMs, stepMs)
  t.strictSame(await listEvents(), [])
  await timing.pass(minuteMs + 2 * stepMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 0'], 'it does not wait for the next poll')
  await timing.pass(30 * minuteMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 0'])
  commit()
  await timing.pass(1.3 * intervalMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 0', 'ExpectationMet #2 main 40'], 'it is polled often')
  const { line } = await db
    .selectFrom('events')
    .select('line')
    .where('name', '=', 'ExpectationUnmet')
    .executeTakeFirstOrThrow()
  t.match(
    line,
    /^LATE: acme\/weather main: last commit 10 min ago \((2026-\S+ )?\d\d:\d\d UTC.*\), expected every 10 min$/,
  )
})

t.test('a commit before the age passes keeps it fresh', async (t) => {
  const { timing, commit, expect, listEvents } = await follow(t)
  await expect(10 * minuteMs)
  for (let round = 0; round < 5; round++) {
    await timing.pass(9 * minuteMs, stepMs)
    commit()
  }
  await timing.pass(9 * minuteMs, stepMs)
  t.strictSame(await listEvents(), [])
})

t.test(
  'a check that ends after the age passes knows nothing of a commit before, so it makes nothing stale',
  async (t) => {
    const { timing, store, entry, watcher, commit, expect, listEvents } = await follow(t)
    await expect(10 * minuteMs)
    await timing.pass(10 * minuteMs - 2 * stepMs, stepMs)
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const read = store.read.bind(store)
    store.read = async (...asked) => {
      const result = await read(...asked)
      await isReleased
      return result
    }
    const checked = watcher.check(entry)
    await timing.pass(stepMs, stepMs)
    commit()
    await timing.pass(3 * stepMs, stepMs)
    store.read = read
    release()
    await checked
    await timing.pass(2 * intervalMs, stepMs)
    t.strictSame(await listEvents(), [])
  },
)

t.test('what is too old already is stale at once', async (t) => {
  const { timing, expect, listEvents } = await follow(t)
  await timing.pass(hourMs, stepMs)
  await expect(10 * minuteMs)
  await timing.pass(5 * stepMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 0'])
})

// Proves: a repository that cannot be read does not become stale
t.test('a repository that cannot be read does not become stale', async (t) => {
  const { timing, store, commit, expect, listEvents } = await follow(t)
  await expect(10 * minuteMs)
  await timing.pass(minuteMs, stepMs)
  store.objects.delete('repo')
  await timing.pass(hourMs, stepMs)
  t.strictSame(await listEvents(), [])
  commit(minuteMs)
  await timing.pass(5 * minuteMs, stepMs)
  t.strictSame(await listEvents(), [], 'somebody had committed meanwhile')
  await timing.pass(10 * minuteMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 60'])
})

// Proves: a service that was down tells once what is stale when it is back
t.test('a service that was down tells what is stale, once, and not what was updated meanwhile', async (t) => {
  const { timing, watcher, commit, expect, listEvents, ...parts } = await follow(t)
  await expect(10 * minuteMs)
  await timing.pass(minuteMs, stepMs)
  await watcher.stop()
  await timing.pass(hourMs, minuteMs)
  t.strictSame(await listEvents(), [])
  const second = startWatcher({ ...parts, timing })
  await timing.pass(5 * minuteMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 0'])
  await second.stop()
  await timing.pass(hourMs, minuteMs)
  commit()
  const third = startWatcher({ ...parts, timing })
  t.teardown(() => third.stop())
  await timing.pass(5 * minuteMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 0', 'ExpectationMet #2 main 126'])
})

t.test('a branch that stays stale is told again after each period of reminders, also after a pause', async (t) => {
  const { timing, watcher, commit, expect, listEvents, ...parts } = await follow(t)
  await expect(10 * minuteMs, { remind: '30m', remindMs: 30 * minuteMs })
  await timing.pass(39 * minuteMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 0'])
  await timing.pass(minuteMs + 2 * stepMs, stepMs)
  const twice = ['ExpectationUnmet #1 main 0', 'ExpectationUnmet #2 main 0']
  t.strictSame(await listEvents(), twice, 'it does not wait for the next poll')
  await watcher.stop()
  await timing.pass(2 * hourMs, minuteMs)
  const second = startWatcher({ ...parts, timing })
  t.teardown(() => second.stop())
  await timing.pass(5 * minuteMs, stepMs)
  t.strictSame(await listEvents(), [...twice, 'ExpectationUnmet #3 main 0'])
  commit()
  await timing.pass(9 * minuteMs, stepMs)
  t.strictSame((await listEvents()).slice(3), ['ExpectationMet #4 main 165'])
})

t.test('a process that does not poll the repository judges when it is asked for a check', async (t) => {
  const { timing, watcher, catalog, entry, expect, listEvents, ...parts } = await follow(t)
  await watcher.stop()
  await timing.pass(hourMs, minuteMs)
  const idle = makeWatcher({ ...parts, timing, catalog }, () => {}, { partitions: noPartitions, isLeased: true })
  t.teardown(() => idle.stop())
  await expect(10 * minuteMs)
  await idle.checkSelection(entry)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 0'])
})

t.test('another branch is watched because somebody expects it to be updated', async (t) => {
  const { timing, expect, listEvents, db } = await follow(t)
  await expect(10 * minuteMs, { branch: 'dev' })
  await timing.pass(11 * minuteMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 dev 0'])
  const heads = await db.selectFrom('heads').select('branch').orderBy('branch').execute()
  t.strictSame(heads, [{ branch: 'dev' }, { branch: 'main' }])
})

t.test('an expectation that is deleted is judged no more', async (t) => {
  const { timing, entry, expect, listEvents, watcher, db } = await follow(t)
  const id = await expect(10 * minuteMs)
  await timing.pass(minuteMs, stepMs)
  await deleteExpectation(db, { owner: entry, id }, describeExpectation, { by, now: new Date(timing.now()) })
  watcher.review()
  await timing.pass(hourMs, stepMs)
  t.strictSame(await listEvents(), [])
  t.strictSame(await db.selectFrom('expectation_states').selectAll().execute(), [])
})

t.test('while the commits of a path cannot be read, the other expectations are judged', async (t) => {
  const { timing, entry, db, watcher, commit, listEvents } = await follow(t)
  await watcher.stop()
  commit()
  await timing.pass(hourMs, minuteMs)
  commit()
  await watcher.check(entry)
  const committedAt = new Date(timing.now()).toISOString()
  for (const path of [null, 'a/**']) {
    await timing.pass(1)
    const options = { by, now: new Date(timing.now()) }
    await addExpectation(
      db,
      entry,
      expectMain('freshness', { settings: { max_age: '1m', due: null, days: null, path } }),
      options,
    )
  }
  await timing.pass(2 * minuteMs, minuteMs)
  let answer = (): Promise<never> => Promise.reject(new RequestProblem('unavailable', 'too many wait'))
  const ignore = { onEvent: () => {}, onJudged: () => {} }
  const onError = (error: unknown) => t.fail('it failed', { error })
  const judgements = new Judgements({ db, timing, readers: { ask: () => answer() }, ...ignore, onError }, entry)
  const judge = () => {
    judgements.noteCheck({ judgedKey: 'two', version: 'the same', startedAt: timing.now() })
    return judgements.ended
  }
  const list = async () => {
    const listed = await listExpectedBranches(db, entry)
    return listed.map(({ state }) => state?.facts?.['last_commit_at'] ?? null)
  }
  await judge()
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 60'])
  t.strictSame(await list(), [committedAt, null])
  answer = () => Promise.reject(new RequestProblem('snapshot-gone', 'it has expired'))
  await judge()
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 60', 'ExpectationUnmet #1 main 60'])
  answer = () => Promise.reject(new TypeError('nobody asks again'))
  await judge()
})

t.test('a commit that is due at a time of the day is missed at that time, and told within a second', async (t) => {
  const { timing, commit, expect, listEvents } = await follow(t)
  // The first due time after the commit is in half an hour.
  const due = new Date(timing.now() + 30 * minuteMs).toISOString().slice(11, 16)
  await expect(minuteMs, { settings: { max_age: null, due, days: null, path: null } })
  await timing.pass(23 * hourMs, minuteMs)
  commit()
  await timing.pass(24 * hourMs, minuteMs)
  t.strictSame(await listEvents(), [], 'each due time has its commit')
  await timing.pass(24 * hourMs, minuteMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 1380'])
  commit()
  await timing.pass(minuteMs, stepMs)
  t.match(await listEvents(), ['ExpectationUnmet #1 main 1380', /^ExpectationMet #2 main/])
})

// Proves: a branch is unmet only after its grace, and one that recovers before is not told
t.test('within a grace nothing is told, and after it the event comes within a second', async (t) => {
  const { timing, commit, expect, listEvents } = await follow(t)
  await expect(10 * minuteMs, { within: '5m', withinMs: 5 * minuteMs })
  await timing.pass(14 * minuteMs, stepMs)
  t.strictSame(await listEvents(), [])
  commit()
  await timing.pass(14 * minuteMs, stepMs)
  t.strictSame(await listEvents(), [], 'it was late, but not for so long')
  await timing.pass(minuteMs + 2 * stepMs, stepMs)
  t.strictSame(await listEvents(), ['ExpectationUnmet #1 main 14'])
})
