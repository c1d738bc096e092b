import { t } from 'tap'
import { findDueTime } from '../../../server/expectations/due-time.ts'

const weekdays = { due: '07:30', days: ['mon', 'tue', 'wed', 'thu', 'fri'] } as const

t.test('the next moment is after the time, on one of the days', (t) => {
  const cases = [
    // The 27th is a Friday.
    ['2026-11-27T07:29:59.999Z', '2026-11-27T07:30:00.000Z'],
    ['2026-11-27T07:30:00.000Z', '2026-11-30T07:30:00.000Z'],
    ['2026-11-28T12:00:00.000Z', '2026-11-30T07:30:00.000Z'],
    ['2026-11-30T07:30:00.001Z', '2026-12-01T07:30:00.000Z'],
  ] as const
  for (const [after, next] of cases) t.equal(findDueTime(weekdays, Date.parse(after)).toISOString(), next, after)
  t.end()
})

t.test('a moment of one day comes again after a week, and one of every day after a day', (t) => {
  const after = Date.parse('2026-12-31T00:00:00.000Z')
  // It is a Thursday.
  t.equal(findDueTime({ due: '00:00', days: ['thu'] }, after).toISOString(), '2027-01-07T00:00:00.000Z')
  t.equal(findDueTime({ due: '00:00', days: ['sun'] }, after).toISOString(), '2027-01-03T00:00:00.000Z')
  t.equal(findDueTime({ due: '23:59', days: null }, after).toISOString(), '2026-12-31T23:59:00.000Z')
  t.end()
})
