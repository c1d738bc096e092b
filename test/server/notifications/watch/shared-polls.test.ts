// Two watchers that share a database, of which each polls its share.
import { t } from 'tap'
import {
  allPartitions,
  describeFirst,
  describeRewritten,
  findWeather,
  intervalMs,
  makeStore,
  makeWatcher,
  newer,
  newerBytes,
  noPartitions,
  type Share,
  watch,
} from './watch.ts'

/** A watcher that polls everything, and a second one with a share that the test sets. */
async function watchTogether(t: Parameters<typeof watch>[0]) {
  const weather = makeStore()
  const first = await watch(t, { weather }, ['weather'])
  let reads = 0
  const read = weather.read.bind(weather)
  Object.assign(weather, { read: (...request: Parameters<typeof read>) => (reads++, read(...request)) })
  const share: Share = { partitions: noPartitions, isLeased: true }
  const second = makeWatcher(first, () => {}, share)
  t.teardown(() => second.stop())
  await first.waitForMove()
  return { ...first, weather, share, second, countReads: () => reads }
}

t.test('a repository that another process polls is not polled', async (t) => {
  const { watcher, second, timing, countReads, listEvents } = await watchTogether(t)
  await watcher.stop()
  second.start()
  const before = countReads()
  await timing.pass(3 * intervalMs)
  t.equal(countReads(), before)
  t.strictSame(await listEvents(), [describeFirst('weather')])
})

t.test('on request, a process checks a repository that another one polls, and keeps nothing of it', async (t) => {
  const { second, catalog, weather, listEvents, findLastCheck } = await watchTogether(t)
  weather.objects.set('repo', newerBytes)
  const entry = await findWeather(catalog)
  t.match(await second.check(entry), { snapshotId: newer.head })
  t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')])
  t.match(await findLastCheck(second), { snapshotId: null, error: undefined }, 'the head may move on unnoticed')
})

t.test('polls begin when the share grows, and end when it shrinks', async (t) => {
  const { watcher, second, share, timing, countReads, findLastCheck } = await watchTogether(t)
  await watcher.stop()
  second.start()
  await timing.pass(intervalMs)
  share.partitions = allPartitions
  second.review()
  await timing.pass(intervalMs)
  const taken = countReads()
  await timing.pass(3 * intervalMs)
  t.ok(countReads() > taken, 'it polls')
  share.partitions = noPartitions
  second.review()
  await timing.pass(100)
  const lost = countReads()
  await timing.pass(2 * intervalMs)
  t.equal(countReads(), lost)
  t.equal(await findLastCheck(second), undefined, 'and nothing is kept of it')
})

t.test('while its lease has run out, a process polls nothing, and forgets nothing', async (t) => {
  const { watcher, second, share, timing, countReads } = await watchTogether(t)
  await watcher.stop()
  share.partitions = allPartitions
  second.start()
  await timing.pass(2 * intervalMs)
  share.isLeased = false
  await timing.pass(100)
  const lapsed = countReads()
  second.review()
  await timing.pass(2 * intervalMs)
  t.equal(countReads(), lapsed)
  t.equal(second.repositories.size, 1, 'the database may answer again soon')
  share.isLeased = true
  await timing.pass(2 * intervalMs)
  t.ok(countReads() > lapsed, 'and it polls again')
})
