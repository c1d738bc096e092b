// The date after `since`, as two libraries read it: pandas, then cftime when pandas gives up.
import type { CalendarDate } from './calendars.ts'

const midnight = { hour: 0, minute: 0, second: 0 }

/**
 * cftime wants year, month and day at the start, then reads a time of day if one follows, and ignores what is left.
 * Source: cftime, `_cftime.pyx`, `ISO8601_REGEX` and `_parse_date`.
 */
export function parseCftimeDate(text: string): CalendarDate | undefined {
  const match =
    /^([+-]?[0-9]+)-([0-9]{1,2})-([0-9]{1,2})(?:[^\n]([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2})(?:\.[0-9]+)?)?)?/.exec(
      text,
    )
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((digits) => (digits === undefined ? 0 : Number(digits)))
  return { year, month, day, hour, minute, second }
}

export function parsePandasDate(text: string): CalendarDate | undefined {
  const date = parseCftimeDate(text)
  if (date !== undefined) return date
  const match = /^([0-9]{4})(?:[-/. ]?([0-9]{2})(?:[-/. ]?([0-9]{2}))?)?/.exec(text)
  if (match === null) return undefined
  return { year: Number(match[1]), month: Number(match[2] ?? 1), day: Number(match[3] ?? 1), ...midnight }
}
