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
 * Parses a date like pandas, which uses dateutil and accepts far more than ISO 8601. Only the forms that occur in time
 * units are supported. Source: pandas, `_libs/tslibs/parsing.pyx`.
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
const offset = String.raw`[+-](?<zoneHour>\d{1,2})(?::?(?<zoneMinute>\d{1,2}))?`
const zone = String.raw`(?:\s*(?:Z|(?:UTC|GMT)?(?:${offset})?)|\s+(?:[01]?\d|2[0-3]):[0-5]?\d)?`
// After a comma, dateutil reads a fraction only if two digits come before it.
const fraction = String.raw`(?:\.\d*|(?<=\d\d),\d*)`
// Node.js 22 takes each name once in an expression.
const clock =
  String.raw`(?:(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})${fraction}?|${fraction})?|` +
  String.raw`(?<bareHour>\d{2}|\d(?=h))(?:h(?![a-z\d]))?)(?:\s*[ap]m)?`
const compactClock = String.raw`(?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,]\d*)?)?`
// dateutil reads `-05-06-07` as the hour 5 in the zone -06, then in the zone -07.
const dashedClock = String.raw`(?<hour>\d{2})(?:(?:-\d{2})*-(?<zoneHour>\d{2}))?`

/** Dates that a dash can follow, with the time of day after it. */
const numericDates = [
  String.raw`${weekday}(?<year>\d{4})([-/. ])(?<month>\d{1,2})\2(?<day>\d{1,2})`,
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:\d{6})?`,
  String.raw`(?<month>0?[1-9]|1[0-2])([-/. ])(?<day>\d{1,2})\2(?<year>\d{4})`,
  String.raw`(?<day>1[3-9]|[23]\d)([-/. ])(?<month>\d{1,2})\2(?<year>\d{4})`,
]

const dates = [
  ...numericDates,
  String.raw`(?<year>\d{4})(?:[-/](?<month>\d{1,2}))?`,
  String.raw`${weekday}${day}[-\s]*(?:of\s+)?${monthName}[-,.\s]*(?<year>\d{4})`,
  String.raw`${weekday}${monthName}[-.\s]*(?:${day}[-,\s]+)?(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[-\s]${monthName}(?:[-\s]${day})?`,
]

const separator = String.raw`(?:\s*T\s*|\s+)`

const pandasDates = [
  ...dates.flatMap((date) => [
    String.raw`^${date}(?:${separator}${clock}${zone}|\s*T)?$`,
    String.raw`^${date}${separator}${compactClock}${zone}$`,
    String.raw`^${date}${separator}${dashedClock}$`,
  ]),
  ...numericDates.flatMap((date) => [
    `^${date}-${dashedClock}$`,
    `^${date}-${clock}${zone}$`,
    `^${date}-${compactClock}${zone}$`,
  ]),
].map((pattern) => new RegExp(pattern, 'i'))

/** A zone is less than a day from UTC, for Python's `datetime`. */
const maxZoneMinutes = 24 * 60 - 1

function readDate(match: RegExpExecArray | null): CalendarDate | undefined {
  if (match === null) return undefined
  const { year, month, name, day: dayOfMonth, bareHour, hour = bareHour, minute, second } = match.groups ?? {}
  const { zoneHour, zoneMinute } = match.groups ?? {}
  if (60 * Number(zoneHour ?? 0) + Number(zoneMinute ?? 0) > maxZoneMinutes) return undefined
  return {
    year: Number(year),
    month: name === undefined ? Number(month ?? 1) : monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1,
    day: Number(dayOfMonth ?? 1),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
  }
}
