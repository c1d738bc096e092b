import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { t } from 'tap'
import { CallCounts, maxCallers } from '../../../server/access/call-counts.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'

const windowMs = 60_000

t.test('calls are counted for a minute, whatever the clock of the system is set to', async (t) => {
  const timing = new ManualTiming()
  const counts = new CallCounts(windowMs, timing.elapsed)
  const count = (name: string) => counts.count(name)
  t.strictSame(count('a'), { calls: 1, leftMs: windowMs })
  await timing.pass(10_000, 10_000)
  timing.setClock(-3_600_000)
  t.strictSame(count('a'), { calls: 2, leftMs: 50_000 })
  t.strictSame(count('b'), { calls: 1, leftMs: windowMs })
  t.equal(counts.read('a'), 2)
  await timing.pass(50_000, 10_000)
  t.equal(counts.read('a'), 0)
  t.strictSame(count('a'), { calls: 1, leftMs: windowMs }, 'then they begin anew')
})

t.test('no more than the window is left, however the numbers of the stopwatch are rounded', async (t) => {
  let elapsed = 0
  const counts = new CallCounts(windowMs, () => elapsed)
  const tooLong: number[] = []
  for (let caller = 0; caller < 10_000; caller++) {
    // The stopwatch of Node.js has such fractions.
    elapsed += 3.700_001
    if (counts.count(String(caller)).leftMs > windowMs) tooLong.push(elapsed)
  }
  t.strictSame(tooLong, [])
})

t.test('calls are told once, and those that could not be told are told later', async (t) => {
  const counts = new CallCounts(windowMs, new ManualTiming().elapsed)
  counts.count('a')
  counts.count('a')
  counts.count('b')
  const taken = counts.takeUntold()
  t.strictSame(taken.map(({ name, calls }) => `${name} ${calls}`).toSorted(), ['a 2', 'b 1'])
  t.strictSame(counts.takeUntold(), [])
  for (const calls of taken) counts.giveBack(calls)
  t.equal(counts.takeUntold().length, 2)
})

t.test('callers beyond the limit are forgotten, although nobody is told of any', async (t) => {
  const counts = new CallCounts(windowMs, new ManualTiming().elapsed)
  const countMany = (first: number, many: number) => {
    for (let index = first; index < first + many; index++) counts.count(`${index}`.padStart(100, 'x'))
  }
  countMany(0, maxCallers)
  const before = measureHeap()
  countMany(maxCallers, 40 * maxCallers)
  const growth = measureHeap() - before
  t.ok(growth < 10_000_000, `${40 * maxCallers} callers took ${growth} bytes`)
  t.equal(counts.takeUntold().length, maxCallers)
})

/** Bytes in use after everything that nothing holds was freed. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
