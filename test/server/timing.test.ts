import { t } from 'tap'
import { guardCallbacks, systemTiming } from '../../server/timing.ts'
import { ManualTiming } from './notifications/manual-timing.ts'

t.test('a callback that fails ends nothing, and its error is passed on', async (t) => {
  const timing = new ManualTiming()
  const errors: unknown[] = []
  const { after } = guardCallbacks(timing, (error) => errors.push(error))
  const fail = () => {
    throw new Error('a fault')
  }
  for (const ms of [10, 20]) after(ms, fail)
  after(30, fail)()
  await timing.pass(100)
  t.match(errors, [{ message: 'a fault' }, { message: 'a fault' }])
  t.equal(errors.length, 2, 'one was cancelled')
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
