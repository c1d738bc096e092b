import t from 'tap'
import { makeCallCounts } from '../../../server/access/call-counts.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'

const windowMs = 60_000

t.test('calls are counted for a minute, whatever the clock of the system is set to', async (t) => {
  const timing = new ManualTiming()
  const CallCounts = makeCallCounts(timing.elapsed)
  const counts = new CallCounts({})
  const count = (key: string) => {
    let result: unknown
    counts.incr(key, (_error, counted) => (result = counted), windowMs, 1)
    return result
  }
  t.strictSame(count('a'), { current: 1, ttl: windowMs })
  await timing.pass(10_000, 10_000)
  timing.setClock(-3_600_000)
  t.strictSame(count('a'), { current: 2, ttl: 50_000 })
  t.strictSame(count('b'), { current: 1, ttl: windowMs })
  await timing.pass(50_000, 10_000)
  t.strictSame(count('a'), { current: 1, ttl: windowMs }, 'then they begin anew')
})
