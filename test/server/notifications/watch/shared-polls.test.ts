// Two watchers that share a database, of which each polls its share.
import { t } from 'tap'
import {
  makeStore,
  makeWatcher,
  newer,
  newerBytes,
  describeFirst,
  describeRewritten,
  findWeather,
  intervalMs,
  watch,
} from './watch.ts'

/** A watcher that polls everything, and a second one with a share that the test sets. */
async function watchTogether(t: Parameters<typeof watch>[0]) {
  const weather = makeStore()
  const first = await watch(t, { weather }, ['weather'])
  let reads = 0
  const read = weather.read.bind(weather)
  Object.assign(weather, { read: (...request: Parameters<typeof read>) => (reads++, read(...request)) })
  const share = { isPolling: false }
  const second = makeWatcher(
    first,
    () => {},
    () => share.isPolling,
  )
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

t.test('a process that is told checks a repository that another one polls, and keeps nothing of it', async (t) => {
  const { second, catalog, weather, listEvents, findLastCheck } = await watchTogether(t)
  weather.objects.set('repo', newerBytes)
  const entry = await findWeather(catalog)
  t.match(await second.check(entry), { snapshotId: newer.head })
  t.strictSame(await listEvents(), [describeFirst('weather'), describeRewritten('weather')])
  t.match(await findLastCheck(second), { snapshotId: null, error: undefined }, 'the head may move on unnoticed')
})

t.test('polls begin when the share grows, and end when it shrinks or its lease runs out', async (t) => {
  const { watcher, second, share, timing, countReads, findLastCheck } = await watchTogether(t)
  await watcher.stop()
  second.start()
  await timing.pass(intervalMs)
  share.isPolling = true
  second.review()
  await timing.pass(intervalMs)
  const taken = countReads()
  await timing.pass(3 * intervalMs)
  t.ok(countReads() > taken, 'it polls')
  share.isPolling = false
  await timing.pass(100)
  const lost = countReads()
  await timing.pass(2 * intervalMs)
  t.equal(countReads(), lost, 'it has lost its share, and nobody has said so yet')
  second.review()
  await timing.pass(2 * intervalMs)
  t.equal(countReads(), lost)
  t.equal(await findLastCheck(second), undefined, 'and nothing is kept of it')
})
