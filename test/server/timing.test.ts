import { t } from 'tap'
import { guardCallbacks, systemTiming } from '../../server/timing.ts'
import { ManualTiming } from './notifications/manual-timing.ts'

t.test('a callback that fails ends nothing; each fault is counted, and one a minute is logged', async (t) => {
  const timing = new ManualTiming()
  const [lines, counted]: [unknown[], number[]] = [[], []]
  const faults = { inc: () => counted.push(timing.elapsed()) }
  const { after } = guardCallbacks(timing, faults, { error: (facts) => lines.push(facts) })
  const fail = () => {
    throw new Error('a fault')
  }
  for (const ms of [10, 20, 59_000, 61_000]) after(ms, fail)
  after(30, fail)()
  await timing.pass(62_000)
  t.equal(counted.length, 4, 'and one was cancelled')
  t.match(lines, [{ err: Error }, { err: Error }])
})

t.test('what is due already is called soon, without a warning of Node.js', async (t) => {
  const warnings = t.capture(process, 'emitWarning')
  await new Promise<void>((resolve) => void systemTiming.after(-0.001, resolve))
  t.strictSame(warnings(), [])
})

t.test('a time that is too long for a timer of Node.js does not end at once', async (t) => {
  const warnings = t.capture(process, 'emitWarning')
  systemTiming.after(2 ** 31, () => t.fail('called at once'))()
  t.strictSame(warnings(), [])
})
