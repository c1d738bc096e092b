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
