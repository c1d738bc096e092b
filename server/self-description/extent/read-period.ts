// Reads when a dataset begins and ends.
import { JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import { periodSpellings } from '../spellings.ts'
import type { StatedItem } from './stac-items.ts'
import { findEnd, findStart, isIsoInstant, readDuration } from './duration.ts'
import { takeSingle } from './single-value.ts'

/** Instants are milliseconds since 1970; null where none is stated. */
export type Period = {
  readonly startsAt: number | null
  readonly endsAt: number | null
  /** The attribute that states the start, else the end; null if neither is stated. */
  readonly periodAttribute: string | null
}

/** The end of a dataset that still grows. */
const openEnd = /^(?:present|now|ongoing)$/i

/**
 * Reads the period that attributes state. A duration completes the end that is not stated.
 *
 * @param items the attributes, and the item of STAC in them
 */
export function readPeriod(attributes: JsonObject, items: readonly StatedItem[]): Period {
  const list = (edge: 'start' | 'end') =>
    periodSpellings.flatMap((spelling) => items.flatMap((item) => listStated(item, spelling[edge])))
  const end = list('end').find(({ value }) => isOpen(value) || readInstant(value, 'end') !== null)
  const start = list('start').find(({ value }) => readInstant(value, 'start') !== null)
  const startsAt = readInstant(start?.value, 'start')
  const endsAt = readInstant(end?.value, 'end')
  const periodAttribute = (start ?? (endsAt === null ? undefined : end))?.attribute ?? null
  const duration = readDuration(takeSingle(attributes.get('time_coverage_duration')))
  if (duration === null || isOpen(end?.value)) return { startsAt, endsAt, periodAttribute }
  return {
    startsAt: startsAt ?? (endsAt === null ? null : findStart(endsAt, duration)),
    endsAt: endsAt ?? (startsAt === null ? null : findEnd(startsAt, duration)),
    periodAttribute,
  }
}

/** Reads the period between two instants; null if none of them is one. */
export function readPeriodBetween(
  start: JsonValue | undefined,
  end: JsonValue | undefined,
  periodAttribute: string,
): Period | null {
  const [startsAt, endsAt] = [readInstant(start, 'start'), readInstant(end, 'end')]
  return startsAt === null && endsAt === null ? null : { startsAt, endsAt, periodAttribute }
}

function isOpen(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && openEnd.test(value)
}

/** Names whose numbers are years or days. Elsewhere, a number that is no day can be a count of seconds. */
const datesByConvention = /^time_coverage_|datetime$/

type StatedInstant = { readonly value: JsonValue; readonly attribute: string }

/** Lists what can be the instant: a date with its time of the day, else the date alone. */
function listStated({ attributes: item, path }: StatedItem, [date, time]: readonly string[]): readonly StatedInstant[] {
  const stated = date === undefined ? undefined : takeSingle(item.get(date))
  if (date === undefined || stated === undefined) return []
  if (stated instanceof JsonNumber && stated.text.length !== 8 && !datesByConvention.test(date)) return []
  const ofDay = time === undefined ? undefined : takeSingle(item.get(time))
  const values =
    typeof stated === 'string' && typeof ofDay === 'string' ? [`${stated.trim()}T${ofDay.trim()}`, stated] : [stated]
  return values.map((value) => ({ value, attribute: path + date }))
}

/**
 * A year, month, day or instant of ISO 8601, with or without dashes and colons, and with or without a time zone. WRF
 * separates day and time by `_`. Where there are no dashes, nothing need separate them.
 */
const instant = new RegExp(
  String.raw`^(\d{4})(?!\d\d$)(?:(-?)(\d\d)(?:\2(\d\d)` +
    String.raw`(?:(?:[T _]|(?<=^\d{8}))(\d\d):?(\d\d)(?::?(\d\d(?:\.\d{1,9})?))? ?(?:Z|UTC|([+-]\d\d):?(\d\d))?)?)?)?$`,
  'i',
)

/**
 * Reads a date or an instant; null if the value is neither. Without a time zone it is in UTC. A date without a time
 * means its first millisecond as a start, and its last one as an end.
 */
export function readInstant(value: JsonValue | undefined, edge: 'start' | 'end'): number | null {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string' || text.length > 64) return null
  const found = instant.exec(writeOrdinalDay(text.trim()))
  if (found === null) return null
  const [, year, , month, day, hour, minute = '00', second = '00', zoneHour, zoneMinute = '00'] = found
  const zone = zoneHour === undefined ? 'Z' : `${zoneHour}:${zoneMinute}`
  const start = Date.parse(`${year}-${month ?? '01'}-${day ?? '01'}T${hour ?? '00'}:${minute}:${second}${zone}`)
  if (!isIsoInstant(start)) return null
  if (edge === 'start' || hour !== undefined) return start
  const end = new Date(start)
  if (day !== undefined) end.setUTCDate(end.getUTCDate() + 1)
  else if (month !== undefined) end.setUTCMonth(end.getUTCMonth() + 1)
  else end.setUTCFullYear(end.getUTCFullYear() + 1)
  return end.getTime() - 1
}

/** An ordinal date of ISO 8601: the year and the number of the day in it. */
const ordinalDay = /^(\d{4})-?(\d{3})(?=$|[T _])/i

/** Writes `2020-153` as `2020-06-01`. Leaves a day that the year has not. */
function writeOrdinalDay(text: string): string {
  return text.replace(ordinalDay, (ordinal: string, year: string, day: string) => {
    const date = new Date(Date.parse(`${year}-01-01`) + (Number(day) - 1) * 86_400_000)
    const written = isIsoInstant(date.getTime()) ? date.toISOString().slice(0, 10) : ''
    return written.startsWith(`${year}-`) ? written : ordinal
  })
}
