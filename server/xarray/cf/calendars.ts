// Calendars and the dates that exist in them. Source: cftime, `_cftime.pyx`, `assert_valid_date` and
// `_year_zero_defaults`.

/** A date with a time of day. */
export type CalendarDate = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>>

type Calendar = {
  /** Whether February has 29 days. */
  readonly isLeap: (year: number) => boolean
  readonly monthDays?: number
  readonly hasYearZero: boolean
}

const isGregorianLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
/** Without a year zero, 1 BC is written -1 and counts as 0. */
const countHistoricalYear = (year: number) => (year < 0 ? year + 1 : year)
const isJulianLeap = (year: number) => countHistoricalYear(year) % 4 === 0

const standard: Calendar = {
  isLeap: (year) => (year > 1582 ? isGregorianLeap(year) : isJulianLeap(year)),
  hasYearZero: false,
}
const noLeap: Calendar = { isLeap: () => false, hasYearZero: true }
const allLeap: Calendar = { isLeap: () => true, hasYearZero: true }

const calendars: ReadonlyMap<string, Calendar> = new Map<string, Calendar>([
  ['standard', standard],
  ['gregorian', standard],
  ['proleptic_gregorian', { isLeap: isGregorianLeap, hasYearZero: true }],
  ['julian', { isLeap: isJulianLeap, hasYearZero: false }],
  ['noleap', noLeap],
  ['365_day', noLeap],
  ['all_leap', allLeap],
  ['366_day', allLeap],
  ['360_day', { isLeap: () => true, monthDays: 30, hasYearZero: true }],
])

/** The calendars whose dates numpy can hold. Source: `xarray/coding/times.py` `_STANDARD_CALENDARS`. */
export const standardCalendars: ReadonlySet<string> = new Set(['standard', 'gregorian', 'proleptic_gregorian'])

/** cftime stores the year in 32 bits. */
const maxYear = 2 ** 31 - 1

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether `calendar` (in lower case) exists and has this date. */
export function hasDate(calendar: string, { year, month, day, hour, minute, second }: CalendarDate): boolean {
  const rules = calendars.get(calendar)
  if (rules === undefined || (year === 0 && !rules.hasYearZero) || Math.abs(year) > maxYear) return false
  const february = rules.isLeap(year) ? 29 : 28
  const lastDay = rules.monthDays ?? (month === 2 ? february : monthDays[month - 1])
  if (month < 1 || month > 12 || lastDay === undefined || day < 1 || day > lastDay) return false
  // The reform of 1582 skipped ten days.
  if (rules === standard && year === 1582 && month === 10 && day > 4 && day < 15) return false
  return hour < 24 && minute < 60 && second < 60
}
