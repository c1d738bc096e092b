import { t } from 'tap'
import { maxAttempts, planWait } from '../../../../server/notifications/deliver/retry-schedule.ts'

const now = Date.UTC(2026, 10, 21, 12)
const middle = () => 0.5
const countSecondsUntil = (attempt: number, retryAfter?: string, random = middle) => {
  const waitMs = planWait(attempt, retryAfter, now, random)
  return waitMs && waitMs / 1_000
}

t.test('twelve attempts are made over about 75 hours', async (t) => {
  const delays = Array.from({ length: maxAttempts }, (_, index) => countSecondsUntil(index + 1))
  t.strictSame(delays, [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined])
  t.equal(maxAttempts, 12)
})

t.test('each delay is spread by a fifth both ways', async (t) => {
  t.equal(
    countSecondsUntil(3, undefined, () => 0),
    96,
  )
  t.equal(
    countSecondsUntil(3, undefined, () => 1),
    144,
  )
})

t.test('Retry-After puts the next attempt off, up to a day', async (t) => {
  t.equal(countSecondsUntil(1, '120'), 120)
  t.equal(countSecondsUntil(1, '86400'), 86_400)
  t.equal(countSecondsUntil(1, '86401'), 86_400)
  t.equal(countSecondsUntil(1, '9'.repeat(400)), 86_400)
  t.equal(
    countSecondsUntil(11, '600', () => 0),
    69_120,
    'not forward',
  )
  t.equal(countSecondsUntil(12, '600'), undefined, 'nor beyond the last attempt')
})

t.test('Retry-After may be a date in each form of RFC 9110', async (t) => {
  for (const date of [
    'Sat, 21 Nov 2026 12:10:00 GMT',
    'Saturday, 21-Nov-26 12:10:00 GMT',
    'Sat Nov 21 12:10:00 2026',
  ]) {
    t.equal(countSecondsUntil(1, date), 600, date)
  }
  t.equal(countSecondsUntil(1, 'Sat, 21 Nov 2026 11:00:00 GMT'), 5, 'a date that has passed')
  t.equal(countSecondsUntil(1, 'Sat, 21 Nov 2099 11:00:00 GMT'), 86_400)
})

t.test('a Retry-After that is neither is ignored', async (t) => {
  for (const value of ['', 'soon', '-1', '1.5', '1e3', '0x10', '2026-11-21T12:10:00Z', 'x GMT']) {
    t.equal(countSecondsUntil(1, value), 5, value)
  }
})
