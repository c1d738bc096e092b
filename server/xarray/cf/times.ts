// Dates and durations stored as numbers. Source: `xarray/coding/times.py` `CFTimedeltaCoder` and `CFDatetimeCoder`.
import type { JsonValue } from '@floe/storage/json'
import { hasDate, standardCalendars } from './calendars.ts'
import { object, makeTime } from '../data-types.ts'
import { parseCftimeDate, parsePandasDate } from './reference-date.ts'
import { durationUnits, splitTimeUnits } from './time-units.ts'
import { CannotDecodeError, consume, type Variable } from '../variable.ts'

/** Decodes durations. They need a unit and a `dtype` of timedelta. With a unit alone, the values stay numbers. */
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

/** The resolution of pandas for each resolution of numpy. Source: `resolve_time_unit_from_attrs_dtype`. */
const pandasUnits: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['generic', ''],
  ['μs', 'us'],
  ...['s', 'ms', 'us', 'ns'].map((unit) => [unit, unit] as const),
  ...['m', 'h', 'D', 'W'].map((unit) => [unit, 's'] as const),
  ...['ps', 'fs'].map((unit) => [unit, 'ns'] as const),
])

const timedeltaForm = new RegExp(
  String.raw`^timedelta64(?:\[(?:[ \t\n]*\+?(?<multiple>[0-9]+))?(?<unit>[a-zA-Zμ]+)` +
    String.raw`(?:/[ \t\n]*[+-]?(?<divisor>[1-9][0-9]*))?\])?$`,
)
const maxMultiple = 2 ** 31 - 1

function parseTimedeltaUnit(dtype: string): string | undefined {
  const { multiple = '1', unit = '', divisor = '1' } = timedeltaForm.exec(dtype)?.groups ?? { unit: 'none' }
  if (Number(multiple) > maxMultiple) return undefined
  const plainUnit = unit === 'μs' ? 'us' : unit
  return pandasUnits.get(divisor === '1' ? plainUnit : (divideUnit(plainUnit, Number(divisor)) ?? 'none'))
}

const subdivisions: Readonly<Record<string, readonly (readonly [unit: string, count: number])[]>> = {
  W: [
    ['D', 7],
    ['h', 168],
    ['m', 10_080],
  ],
  D: [
    ['h', 24],
    ['m', 1440],
    ['s', 86_400],
  ],
  h: [
    ['m', 60],
    ['s', 3600],
  ],
  m: [
    ['s', 60],
    ['ms', 60_000],
  ],
  M: [
    ['W', 4],
    ['D', 30],
    ['h', 720],
  ],
  Y: [
    ['M', 12],
    ['W', 52],
    ['D', 365],
  ],
  s: [
    ['ms', 1000],
    ['us', 1_000_000],
  ],
  ms: [
    ['us', 1000],
    ['ns', 1_000_000],
  ],
  us: [
    ['ns', 1000],
    ['ps', 1_000_000],
  ],
  ns: [
    ['ps', 1000],
    ['fs', 1_000_000],
  ],
  ps: [['fs', 1000]],
}

/**
 * Finds the unit of `s/2`: the first finer one that divides evenly. Source: numpy, `datetime.c`
 * `convert_datetime_divisor_to_multiple`.
 */
function divideUnit(unit: string, divisor: number): string | undefined {
  return subdivisions[unit]?.find(([, count]) => count % divisor === 0)?.[0]
}

/**
 * Decodes dates. xarray parses each `units` that contains `since`; if it cannot parse one, it cannot open the group.
 */
export function decodeDatetime(variable: Variable): Variable {
  const { name, attributes, unreadable } = variable
  const units = attributes.get('units')
  if (typeof units !== 'string' || !units.includes('since')) return variable
  const calendar = attributes.get('calendar') ?? 'standard'
  if (typeof calendar !== 'string') throw new CannotDecodeError(name, 'its "calendar" is not text')
  if (unreadable !== undefined) throw new CannotDecodeError(name, unreadable)
  const isStandard = standardCalendars.has(calendar.toLowerCase())
  // xarray converts booleans without a value when it decodes them, but not when it makes an index of them.
  const isEmptyBoolean = variable.type.kind === 'b' && variable.shape.includes(0n)
  // If pandas can parse the units but not convert the values, xarray does not try cftime.
  const isDecodable =
    isStandard && canPandasParse(units)
      ? isCountable(variable) || isEmptyBoolean
      : canCftimeConvert(variable) && canCftimeParse(units, calendar.toLowerCase())
  if (!isDecodable) {
    const counted = `values of type ${variable.type.name} as ${JSON.stringify(units)}`
    throw new CannotDecodeError(name, `${counted} cannot be read in the calendar ${JSON.stringify(calendar)}`)
  }
  const decoded = { ...consume(variable, 'units', 'calendar'), type: isStandard ? makeTime('M', 'ns') : object }
  return isEmptyBoolean ? { ...decoded, unreadable: 'booleans cannot count times' } : decoded
}

/**
 * Needs at least one value, of a type that numpy converts to float. Accepts objects only if they come from masked or
 * scaled numbers: texts could spell numbers, but metadata does not show that. Source: `decode_cf_datetime`,
 * `flat_num_dates.astype(float)`.
 */
function canCftimeConvert({ type, shape, encoding }: Variable): boolean {
  const isNumericObject = type.kind === 'O' && (encoding.has('scale_factor') || encoding.has('_FillValue'))
  return !shape.includes(0n) && ('biufc'.includes(type.kind) || isNumericObject)
}

const pandasTimeUnit = /^(?:day|hour|minute|second|millisecond|microsecond|nanosecond)s?$/i

/**
 * Accepts only dates that numpy can count in nanoseconds and that are after the reform of 1582. Source:
 * `_decode_datetime_with_pandas`.
 */
function canPandasParse(units: string): boolean {
  const parts = splitTimeUnits(units)
  if (parts === undefined || !pandasTimeUnit.test(parts.unit)) return false
  const date = parsePandasDate(parts.reference)
  if (date === undefined || !hasDate('proleptic_gregorian', date)) return false
  const day = date.year * 10000 + date.month * 100 + date.day
  return day > 16770921 && day <= 22620411
}

/** Whether units count from a date that numpy cannot hold in nanoseconds, so that dates near it are objects. */
export function hasDistantReference(units: JsonValue | undefined): boolean {
  const parts = typeof units === 'string' ? splitTimeUnits(units) : undefined
  const date = parts && (parsePandasDate(parts.reference) ?? parseCftimeDate(parts.reference))
  return date !== undefined && (date.year < 1678 || date.year > 2261)
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
