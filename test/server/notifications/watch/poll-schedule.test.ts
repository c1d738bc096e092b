import { setImmediate } from 'node:timers/promises'
import { t } from 'tap'
import { PlaceLimits } from '../../../../server/catalog/place-limits.ts'
import { PollSchedule } from '../../../../server/notifications/watch/poll-schedule.ts'
import { createMetrics } from '../../../../server/http/observation/metrics.ts'
import { readMetrics, readValue } from '../../main/monitoring/read-metrics.ts'
import { ManualTiming } from '../manual-timing.ts'

/** A schedule whose polls take no time, and when they began, counted from now. */
async function openSchedule(timing: ManualTiming, random: number) {
  const polls: number[] = []
  const start = timing.elapsed()
  const limitPolls = new PlaceLimits(16).get({ org: 'acme', repository: { location: '/data/weather' } })
  const { now, elapsed, after } = timing
  const metrics = createMetrics()
  const options = { pollIntervalMs: 10_000, timing: { now, elapsed, after, random: () => random }, limitPolls, metrics }
  const schedule = new PollSchedule(options, async () => {
    polls.push(timing.elapsed() - start)
    schedule.planNext(0)
  })
  schedule.open(true)
  await setImmediate()
  return { schedule, polls, metrics }
}

t.test('polls vary by a fifth, and those due in the same tenth of a second begin together', async (t) => {
  const timing = new ManualTiming()
  const { polls: early } = await openSchedule(timing, 0)
  const { polls: late } = await openSchedule(timing, 0.99)
  const { polls: later } = await openSchedule(timing, 0.999)
  await timing.pass(12_000, 10)
  t.strictSame(early, [0, 8_000])
  t.strictSame(late, [0, 12_000])
  t.strictSame(later, late)
})

t.test('a closed schedule polls no more', async (t) => {
  const timing = new ManualTiming()
  const { schedule, polls } = await openSchedule(timing, 0.5)
  await timing.pass(10_000)
  schedule.close()
  schedule.planNext(0)
  await timing.pass(30_000)
  t.strictSame(polls, [0, 10_000])
})

t.test('how long after its time a poll began is counted', async (t) => {
  const timing = new ManualTiming()
  const { polls, metrics } = await openSchedule(timing, 0)
  await timing.pass(10_000, 2_500)
  t.strictSame(polls, [0, 10_000])
  const readings = readMetrics(await metrics.registry.metrics())
  t.equal(readValue(readings, 'floe_poll_lag_seconds_sum'), 2, 'it was due after 8 s')
})
