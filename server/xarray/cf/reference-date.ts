// Parses the date after `since` as pandas and as cftime do.
import type { CalendarDate } from './calendars.ts'

/**
 * Parses a date like cftime: year, month and day, then a time of day if one follows. The rest of the text is ignored.
 * Source: cftime, `_cftime.pyx`, `ISO8601_REGEX` and `_parse_date`.
 */
export function parseCftimeDate(text: string): CalendarDate | undefined {
  return readDate(cftimeDate.exec(text))
}

const cftimeDate =
  /^(?<year>[+-]?\d+)-(?<month>\d{1,2})-(?<day>\d{1,2})(?:.(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:\.\d+)?)?)?/

/**
 * Parses a date like pandas, which uses dateutil and accepts far more than ISO 8601. Only the forms that occur in time units are supported.
 * Source: pandas, `_libs/tslibs/parsing.pyx`.
 */
export function parsePandasDate(text: string): CalendarDate | undefined {
  for (const pattern of pandasDates) {
    const date = readDate(pattern.exec(text.trim()))
    if (date !== undefined) return date
  }
  return undefined
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const monthName =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|' +
  'nov(?:ember)?|dec(?:ember)?)'
const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`
const weekday = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?`
const zone = String.raw`(?:\s*(?:Z|(?:UTC|GMT)?(?:[+-]\d{1,2}(?::?\d{1,2})?)?)|\s+\d{1,2}:\d{2})?`
const clock = String.raw`(?:(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:\.\d*)?)?|\d{2})(?:\s*[ap]m)?`
const compactClock = String.raw`(?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:\.\d*)?)?`

const dates = [
  String.raw`${weekday}(?<year>\d{4})([-/. ])(?<month>\d{1,2})\2(?<day>\d{1,2})`,
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:\d{6})?`,
  String.raw`(?<year>\d{4})(?:[-/](?<month>\d{1,2}))?`,
  String.raw`(?<month>0?[1-9]|1[0-2])([-/. ])(?<day>\d{1,2})\2(?<year>\d{4})`,
  String.raw`(?<day>1[3-9]|[23]\d)([-/. ])(?<month>\d{1,2})\2(?<year>\d{4})`,
  String.raw`${weekday}${day}[-\s]*(?:of\s+)?${monthName}[-,.\s]*(?<year>\d{4})`,
  String.raw`${weekday}${monthName}[-.\s]*(?:${day}[-,\s]+)?(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[-\s]${monthName}(?:[-\s]${day})?`,
]

const pandasDates = dates.flatMap((date) => [
  new RegExp(`^${date}(?:(?:T|\\s+)${clock}${zone})?$`, 'i'),
  new RegExp(`^${date}(?:T|\\s+)${compactClock}${zone}$`, 'i'),
])

function readDate(match: RegExpExecArray | null): CalendarDate | undefined {
  if (match === null) return undefined
  const { year, month, name, day: dayOfMonth, hour, minute, second } = match.groups ?? {}
  return {
    year: Number(year),
    month: name === undefined ? Number(month ?? 1) : monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1,
    day: Number(dayOfMonth ?? 1),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
  }
}
