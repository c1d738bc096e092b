// The text of CF's time units: `hours since 2000-01-01`.
// Source: `xarray/coding/times.py` `_unpack_netcdf_time_units`, `_ensure_padded_year`.
import type { JsonValue } from '@floe/storage/json'
import { pythonStr } from '../python/text.ts'

/** The words that make a duration on their own. Source: `xarray/coding/times.py` `TIME_UNITS`. */
export const durationUnits: ReadonlySet<JsonValue | undefined> = new Set([
  'days',
  'hours',
  'minutes',
  'seconds',
  'milliseconds',
  'microseconds',
  'nanoseconds',
])

/** `unit` since `reference`, not yet understood any further. */
export type TimeUnits = { readonly unit: string; readonly reference: string }

/** Undefined when the text has not the form `... since ...`, or the reference neither a year nor a leading number. */
export function splitTimeUnits(units: string): TimeUnits | undefined {
  const match = /^([^\n]+) since ([^\n]+)/.exec(units)
  if (match === null) return undefined
  const [, unit = '', reference = ''] = match
  const padded = padYear(reference.trim())
  return padded === undefined ? undefined : { unit: unit.trim(), reference: padded }
}

/** Without four digits in a row anywhere, the first number is taken for the year. */
function padYear(reference: string): string | undefined {
  if (/[0-9]{4}/.test(reference)) return reference
  const match = /^[0-9]+/.exec(reference)
  return match === null ? undefined : match[0].padStart(4, '0') + reference.slice(match[0].length)
}

/** Whether masking leaves whole numbers alone for the sake of a time. Source: `coding/variables.py` `_is_time_like`. */
export function isTimeLike(units: JsonValue | undefined): boolean {
  if (units === undefined || units === null) return false
  const text = pythonStr(units)
  return text.includes('since') ? splitTimeUnits(text) !== undefined : durationUnits.has(text)
}
