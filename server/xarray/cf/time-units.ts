// The text of CF's time units: `hours since 2000-01-01`.
// Source: `xarray/coding/times.py` `_unpack_netcdf_time_units`, `_ensure_padded_year`.
import type { JsonValue } from '@floe/storage/json'
import { toAsciiDigits } from '../python/digits.ts'
import { writePythonStr } from '../python/text.ts'

/** Units that mark a variable as a duration. Source: `xarray/coding/times.py` `TIME_UNITS`. */
export const durationUnits: ReadonlySet<JsonValue | undefined> = new Set(
  'days hours minutes seconds milliseconds microseconds nanoseconds'.split(' '),
)

/** The texts before and after `since`. */
export type TimeUnits = { readonly unit: string; readonly reference: string }

const since = ' since '

/** Splits units such as `hours since 2000`. Undefined for another form, or without a year or a number in front. */
export function splitTimeUnits(units: string): TimeUnits | undefined {
  const [line = ''] = units.split('\n', 1)
  // The last `since` that has at least one character on each side.
  const middle = line.lastIndexOf(since, line.length - since.length - 1)
  if (middle < 1) return undefined
  const unit = line.slice(0, middle)
  const reference = toAsciiDigits(line.slice(middle + since.length).trim())
  const padded = padYear(reference)
  return padded === undefined ? undefined : { unit: unit.trim(), reference: padded }
}

/** Pads the year, which is the first number, to four digits. A text with four digits in a row stays as it is. */
function padYear(reference: string): string | undefined {
  if (/[0-9]{4}/.test(reference)) return reference
  const match = /^[0-9]+/.exec(reference)
  return match === null ? undefined : match[0].padStart(4, '0') + reference.slice(match[0].length)
}

/**
 * Whether units are those of dates or durations. Masking does not convert their integers to floats. Source:
 * `coding/variables.py` `_is_time_like`.
 */
export function isTimeLike(units: JsonValue | undefined): boolean {
  if (units === undefined || units === null) return false
  const text = writePythonStr(units)
  return text.includes('since') ? splitTimeUnits(text) !== undefined : durationUnits.has(text)
}
