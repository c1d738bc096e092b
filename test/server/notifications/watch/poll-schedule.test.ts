import { t } from 'tap'
import { PollSchedule } from '../../../../server/notifications/watch/poll-schedule.ts'

t.test('a timer that fires early begins no poll before it is due, and loses none', (t) => {
  let now = 1_000.3
  const timers: { readonly at: number; readonly callback: () => void }[] = []
  const schedule = new PollSchedule({
    elapsed: () => now,
    after: (ms, callback) => {
      timers.push({ at: now + ms, callback })
      return () => {}
    },
  })
  const begun: number[] = []
  const dueAt = schedule.plan({ beginPoll: () => begun.push(now) }, 950)
  t.equal(dueAt, 2_000)
  now = 1_999.4
  timers.shift()?.callback()
  t.strictSame(begun, [])
  now = 2_000.1
  t.equal(timers.length, 1)
  timers.shift()?.callback()
  t.strictSame(begun, [2_000.1])
  t.end()
})

t.test('polls after a long wait share timers of whole seconds', (t) => {
  let timers = 0
  const schedule = new PollSchedule({
    elapsed: () => 0,
    after: () => {
      timers++
      return () => {}
    },
  })
  const plan = (waitMs: number) => schedule.plan({ beginPoll: () => {} }, waitMs)
  t.strictSame([plan(59_901), plan(60_001), plan(60_900)], [60_000, 61_000, 61_000])
  t.equal(timers, 2)
  t.end()
})
