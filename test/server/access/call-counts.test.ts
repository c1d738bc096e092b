import t from 'tap'
import { CallCounts } from '../../../server/access/call-counts.ts'
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
