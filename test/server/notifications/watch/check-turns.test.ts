import { setImmediate as nextTurn } from 'node:timers/promises'
import { t } from 'tap'
import { CheckTurns } from '../../../../server/notifications/watch/check-turns.ts'
import { PollSchedule } from '../../../../server/notifications/watch/poll-schedule.ts'
import { ManualTiming } from '../manual-timing.ts'

t.test('thousands of checks of one place run in order, and few at once', async (t) => {
  const place = new CheckTurns().findPlace('acme', '/data/acme/weather')
  const begun: number[] = []
  let running = 0
  let most = 0
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const count = 5_000
  for (let number = 0; number < count; number++) {
    const runTurn = async () => {
      most = Math.max(most, ++running)
      begun.push(number)
      await nextTurn()
      running--
      if (begun.length === count) resolve()
    }
    place.steady.add({ runTurn })
  }
  await done
  t.equal(most, 16)
  t.strictSame(
    begun,
    Array.from({ length: count }, (_, number) => number),
  )
})

t.test('repositories below one location share their place', async (t) => {
  const turns = new CheckTurns()
  const place = turns.findPlace('acme', 's3://data/acme/weather')
  t.equal(turns.findPlace('acme', 's3://data/acme/ice/'), place)
  t.not(turns.findPlace('other', 's3://data/acme/weather'), place)
  t.not(turns.findPlace('acme', 's3://data/other/weather'), place)
})

t.test('polls of one tick share a timer, which ends with the last of them', async (t) => {
  const timing = new ManualTiming()
  let timers = 0
  const after = (ms: number, callback: () => void) => {
    timers++
    const cancel = timing.after(ms, callback)
    return () => {
      timers--
      cancel()
    }
  }
  const schedule = new PollSchedule({ elapsed: timing.elapsed, after })
  const begun: string[] = []
  const polled = ['ice', 'snow'].map((name) => ({ beginPoll: () => begun.push(name) }))
  const [ice, snow] = polled
  if (ice === undefined || snow === undefined) throw new TypeError('two are polled')
  const dueAt = schedule.plan(ice, 950)
  t.equal(schedule.plan(snow, 999), dueAt)
  t.equal(timers, 1)
  schedule.cancel(ice, dueAt)
  await timing.pass(1_000)
  t.strictSame(begun, ['snow'])
  schedule.cancel(ice, schedule.plan(ice, 1_000))
  t.equal(timers, 1, 'none waits for nobody')
  await timing.pass(2_000)
  t.strictSame(begun, ['snow'])
})
