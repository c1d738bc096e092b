import { t } from 'tap'
import { CallCounts, maxCallers, windowMs } from '../../../../server/http/access/call-counts.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { collectGarbage } from '../../measure-memory.ts'

t.test('calls are counted for a minute, whatever the clock of the system is set to', async (t) => {
  const timing = new ManualTiming()
  const counts = new CallCounts(timing.elapsed)
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
  const counts = new CallCounts(() => elapsed)
  const tooLong: number[] = []
  for (let caller = 0; caller < 10_000; caller++) {
    // The stopwatch of Node.js has such fractions.
    elapsed += 3.700_001
    if (counts.count(String(caller)).leftMs > windowMs) tooLong.push(elapsed)
  }
  t.strictSame(tooLong, [])
})

t.test('callers beyond the limit are forgotten', async (t) => {
  const counts = new CallCounts(new ManualTiming().elapsed)
  const countMany = (first: number, many: number) => {
    for (let index = first; index < first + many; index++) counts.count(`${index}`.padStart(100, 'x'))
  }
  countMany(0, maxCallers)
  const before = measureHeap()
  countMany(maxCallers, 40 * maxCallers)
  const growth = measureHeap() - before
  t.ok(growth < 10_000_000, `${40 * maxCallers} callers took ${growth} bytes`)
  const isKnown = (index: number) => counts.read(`${index}`.padStart(100, 'x')) === 1
  t.strictSame(
    [isKnown(40 * maxCallers), isKnown(41 * maxCallers - 1), isKnown(40 * maxCallers - 1)],
    [true, true, false],
  )
})

/** Bytes in use after everything that nothing holds was freed. */
function measureHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
