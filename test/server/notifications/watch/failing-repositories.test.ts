// The lines of the log about repositories that cannot be checked.
import { t, type Test } from 'tap'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { findWeather, makeStore, makeWatcher, olderBytes, watch } from './watch.ts'

const minuteMs = 60_000

/** Checks of a repository that nobody polls, and the lines about them. */
async function openChecks(t: Test) {
  const store = makeStore()
  const { watcher: polling, ...parts } = await watch(t, { weather: store })
  await polling.stop()
  const watcher = makeWatcher(parts, () => {})
  t.teardown(() => watcher.stop())
  const entry = await findWeather(parts.catalog)
  const check = async (times: number) => {
    for (let done = 0; done < times; done++) await watcher.check(entry).catch(() => {})
  }
  return { store, check, ...parts }
}

t.test('the log says when a repository begins to fail and why, and when it works again', async (t) => {
  const { store, check, timing, lines } = await openChecks(t)
  store.objects.delete('repo')
  await check(3)
  t.strictSame(lines, [], 'perhaps it is being copied')
  await check(7)
  const about = { org: 'acme', repo: 'weather', changes: 1, omitted: 0 }
  const failed = { ...about, failures: 4, err: { name: 'NotARepositoryError' } }
  t.match(lines, [{ ...failed, level: 'error', message: 'the repository cannot be checked' }])
  await timing.pass(5 * minuteMs, minuteMs)
  store.objects.set('repo', olderBytes)
  await check(2)
  const works = { ...about, failures: 10, level: 'warn', message: 'the repository can be checked again' }
  t.strictSame(lines.slice(1), [works])
})

// Proves: the log says when a repository begins to fail and when it works again; one that flaps does not fill it
t.test('a repository that flaps, or fails in ever new ways, has one line in five minutes', async (t) => {
  const { store, check, timing, lines } = await openChecks(t)
  const flap = async () => {
    for (let cycle = 0; cycle < 50; cycle++) {
      store.objects.set('repo', olderBytes.subarray(0, 100 + cycle))
      await check(4)
      store.objects.delete('repo')
      await check(1)
      store.objects.set('repo', olderBytes)
      await check(1)
    }
  }
  await flap()
  t.match(lines, [{ failures: 4, changes: 1, err: { name: 'DamagedObjectError' } }])
  await timing.pass(5 * minuteMs, minuteMs)
  await check(1)
  t.match(lines[1], { failures: 250, changes: 149, message: 'the repository can be checked again' })
  await flap()
  t.equal(lines.length, 2)
})

t.test(
  'an organisation whose repositories all fail has 50 lines in five minutes, and the next one counts the others',
  async (t) => {
    const stores = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`ice-${index}`, new MemoryStore()]))
    const { timing, lines, watcher } = await watch(t, stores)
    await timing.pass(290_000, 1_000)
    t.equal(watcher.repositories.size, 80)
    t.equal(lines.length, 50)
    stores['ice-0']?.objects.set('repo', olderBytes)
    await timing.pass(290_000, 1_000)
    t.match(lines.slice(50), [{ repo: 'ice-0', omitted: 30, message: 'the repository can be checked again' }])
    t.equal(lines.length, 51)
  },
)

t.test('a fault of Floe is in the log at once, because it is not over soon', async (t) => {
  const { store, check, lines } = await openChecks(t)
  store.read = () => Promise.reject(new TypeError('a bug'))
  await check(1)
  t.match(lines, [{ level: 'error', failures: 1, err: { name: 'TypeError' } }])
})
