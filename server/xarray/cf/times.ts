// Dates and durations stored as numbers. Source: `xarray/coding/times.py` `CFTimedeltaCoder` and `CFDatetimeCoder`.
import { hasDate, standardCalendars } from './calendars.ts'
import { object, makeTime } from '../data-types.ts'
import { parseCftimeDate, parsePandasDate } from './reference-date.ts'
import { durationUnits, splitTimeUnits } from './time-units.ts'
import { CannotDecodeError, consume, type Variable } from '../variable.ts'

/** Decodes durations. They need a unit and a `dtype` of timedelta; with the unit alone the values stay numbers. */
export function decodeTimedelta(variable: Variable): Variable {
  const dtype = variable.attributes.get('dtype')
  if (!durationUnits.has(variable.attributes.get('units'))) return variable
  if (typeof dtype !== 'string' || !dtype.startsWith('timedelta64')) return variable
  const unit = parseTimedeltaUnit(dtype)
  if (unit === undefined) {
    throw new CannotDecodeError(variable.name, `its "dtype" ${JSON.stringify(dtype)} is not a resolution of pandas`)
  }
  const decoded = { ...consume(variable, 'units', 'dtype'), type: makeTime('m', unit) }
  return isCountable(variable) ? decoded : { ...decoded, unreadable: `${variable.type.name} cannot count durations` }
}

const isCountable = ({ type }: Variable) => ['i', 'u', 'f'].includes(type.kind)

/** The resolution that pandas has for numpy's. Source: `resolve_time_unit_from_attrs_dtype`. */
const pandasUnits: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['generic', ''],
  ['μs', 'us'],
  ...['s', 'ms', 'us', 'ns'].map((unit) => [unit, unit] as const),
  ...['m', 'h', 'D', 'W'].map((unit) => [unit, 's'] as const),
  ...['ps', 'fs'].map((unit) => [unit, 'ns'] as const),
])

function parseTimedeltaUnit(dtype: string): string | undefined {
  const match = /^timedelta64(?:\[[0-9]*([a-zA-Zμ]+)\])?$/.exec(dtype)
  return match === null ? undefined : pandasUnits.get(match[1] ?? '')
}

/** Decodes dates. xarray parses each `units` that contains `since`; if it cannot parse one, it cannot open the group. */
export function decodeDatetime(variable: Variable): Variable {
  const { name, attributes, unreadable } = variable
  const units = attributes.get('units')
  if (typeof units !== 'string' || !units.includes('since')) return variable
  const calendar = attributes.get('calendar') ?? 'standard'
  if (typeof calendar !== 'string') throw new CannotDecodeError(name, 'its "calendar" is not text')
  if (unreadable !== undefined) throw new CannotDecodeError(name, unreadable)
  const isStandard = standardCalendars.has(calendar.toLowerCase())
  // If pandas can parse the units but not convert the values, xarray does not try cftime.
  const isDecodable =
    isStandard && canPandasParse(units)
      ? canPandasConvert(variable)
      : canCftimeConvert(variable) && canCftimeParse(units, calendar.toLowerCase())
  if (!isDecodable) {
    const counted = `values of type ${variable.type.name} as ${JSON.stringify(units)}`
    throw new CannotDecodeError(name, `${counted} cannot be read in the calendar ${JSON.stringify(calendar)}`)
  }
  return { ...consume(variable, 'units', 'calendar'), type: isStandard ? makeTime('M', 'ns') : object }
}

/** Booleans are accepted only in an empty array, which xarray converts to float. Source: `_numbers_to_timedelta`. */
function canPandasConvert(variable: Variable): boolean {
  return isCountable(variable) || (variable.type.kind === 'b' && variable.shape.includes(0n))
}

/**
 * Needs at least one value, of a type that numpy converts to float. Objects are accepted only if they come from masked or scaled numbers: a
 * text might spell a number, but metadata cannot tell. Source: `decode_cf_datetime`, `flat_num_dates.astype(float)`.
 */
function canCftimeConvert({ type, shape, encoding }: Variable): boolean {
  const isNumericObject = type.kind === 'O' && (encoding.has('scale_factor') || encoding.has('_FillValue'))
  return !shape.includes(0n) && ('biufc'.includes(type.kind) || isNumericObject)
}

const pandasTimeUnit = /^(?:day|hour|minute|second|millisecond|microsecond|nanosecond)s?$/i

/** Accepts only dates that numpy can count in nanoseconds and that are after the reform of 1582. Source: `_decode_datetime_with_pandas`. */
function canPandasParse(units: string): boolean {
  const split = splitTimeUnits(units)
  if (split === undefined || !pandasTimeUnit.test(split.unit)) return false
  const date = parsePandasDate(split.reference)
  if (date === undefined || !hasDate('proleptic_gregorian', date)) return false
  const day = date.year * 10000 + date.month * 100 + date.day
  return day > 16770921 && day <= 22620411
}

const cftimeUnit =
  /^(?:days?|d|hours?|hrs?|h|minutes?|mins?|seconds?|secs?|s|milliseconds?|millisecs?|msecs?|ms|microseconds?|microsecs?)$/

/** Source: cftime, `_cftime.pyx`, `_datesplit` and `_dateparse`. */
function canCftimeParse(units: string, calendar: string): boolean {
  const match = /^\s*(\S+)\s+since\s+(\S[^]*)$/i.exec(units)
  if (match === null) return false
  const [, unit = '', reference = ''] = match
  const date = parseCftimeDate(reference)
  return date !== undefined && hasDate(calendar, date) && hasUnit(calendar, unit.toLowerCase())
}

function hasUnit(calendar: string, unit: string): boolean {
  if (calendar === '360_day' && /^months?$/.test(unit)) return true
  if (['noleap', '365_day'].includes(calendar) && /^common_years?$/.test(unit)) return true
  return cftimeUnit.test(unit)
}
