// Durations of ISO 8601, such as `P1M`, `PT1H` or `P1Y2M`.
import type { JsonValue } from '@floe/storage/json'

/** Months have several lengths, so they are apart from what has one. */
export type Duration = { readonly months: number; readonly milliseconds: number }

const secondMs = 1_000
const hourMs = 3_600 * secondMs
const dayMs = 24 * hourMs

const number = String.raw`(\d{1,9}(?:\.\d{1,9})?)`
const form = new RegExp(
  String.raw`^P(?=T?\d)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:${number}W)?(?:${number}D)?` +
    `(?:T(?=\\d)(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`,
)

/** Reads a duration; null if the value is none. */
export function readDuration(value: JsonValue | undefined): Duration | null {
  const found = typeof value === 'string' && value.length <= 64 ? form.exec(value.trim()) : null
  if (found === null) return null
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((digits: string | undefined) => Number(digits ?? 0))
  return {
    months: 12 * years + months,
    milliseconds: Math.round((7 * weeks + days) * dayMs + hours * hourMs + (60 * minutes + seconds) * secondMs),
  }
}

/** Finds the last millisecond of a period; null if it is too far away. */
export function findEnd(start: number, { months, milliseconds }: Duration): number | null {
  const end = addMonths(start, months) + milliseconds - 1
  return isIsoInstant(end) ? Math.max(start, end) : null
}

/** Finds the first millisecond of a period; null if it is too far away. An end that is a date ends with its day. */
export function findStart(end: number, { months, milliseconds }: Duration): number | null {
  const after = (end + 1) % dayMs === 0 ? end + 1 : end
  const start = addMonths(after, -months) - milliseconds
  return isIsoInstant(start) ? start : null
}

/** Whether ISO 8601 has the instant: a year has four digits. */
export function isIsoInstant(instant: number): boolean {
  return instant >= Date.parse('0000-01-01T00:00Z') && instant <= Date.parse('9999-12-31T23:59:59.999Z')
}

/** Adds months. If the month has no such day, its last day is meant. */
function addMonths(instant: number, months: number): number {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const daysOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, daysOfMonth))
  return date.getTime()
}
