// Dates and durations kept as numbers. Source: `xarray/coding/times.py` `CFTimedeltaCoder` and `CFDatetimeCoder`.
import { hasDate, standardCalendars } from './calendars.ts'
import { object, time } from './data-types.ts'
import { parseCftimeDate, parsePandasDate } from './reference-date.ts'
import { durationUnits, splitTimeUnits } from './time-units.ts'
import { CannotDecodeError, consume, type Variable } from './variable.ts'

/** Needs both a unit and a `dtype` that asks for it; the unit alone leaves numbers. */
export function decodeTimedelta(variable: Variable): Variable {
  const dtype = variable.attributes.get('dtype')
  if (!durationUnits.has(variable.attributes.get('units'))) return variable
  if (typeof dtype !== 'string' || !dtype.startsWith('timedelta64')) return variable
  const unit = timedeltaUnit(dtype)
  if (unit === undefined) {
    throw new CannotDecodeError(variable.name, `its "dtype" ${JSON.stringify(dtype)} is no resolution of pandas`)
  }
  const decoded = { ...consume(variable, 'units', 'dtype'), type: time('m', unit) }
  return isCountable(variable) ? decoded : { ...decoded, unreadable: `${variable.type.name} counts no durations` }
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

function timedeltaUnit(dtype: string): string | undefined {
  const match = /^timedelta64(?:\[[0-9]*([a-zA-Zμ]+)\])?$/.exec(dtype)
  return match === null ? undefined : pandasUnits.get(match[1] ?? '')
}

/** Any text with `since` in it is tried, and one that cannot be read keeps the group from opening. */
export function decodeDatetime(variable: Variable): Variable {
  const units = variable.attributes.get('units')
  if (typeof units !== 'string' || !units.includes('since')) return variable
  const calendar = variable.attributes.get('calendar') ?? 'standard'
  if (typeof calendar !== 'string') throw new CannotDecodeError(variable.name, 'its "calendar" is not text')
  if (variable.unreadable !== undefined) throw new CannotDecodeError(variable.name, variable.unreadable)
  if (!isCountable(variable)) {
    throw new CannotDecodeError(variable.name, `values of type ${variable.type.name} cannot be counted as times`)
  }
  const isEmpty = variable.shape.includes(0n)
  const lowerCalendar = calendar.toLowerCase()
  const isStandard = standardCalendars.has(lowerCalendar)
  const isReadable = (isStandard && isReadByPandas(units)) || (!isEmpty && isReadByCftime(units, lowerCalendar))
  if (!isReadable) {
    const rule = `its units ${JSON.stringify(units)} cannot be read in the calendar ${JSON.stringify(calendar)}`
    throw new CannotDecodeError(variable.name, rule)
  }
  return { ...consume(variable, 'units', 'calendar'), type: isStandard ? time('M', 'ns') : object }
}

const pandasTimeUnit = /^(?:day|hour|minute|second|millisecond|microsecond|nanosecond)s?$/i

/** Only dates that numpy can count in nanoseconds, and after the reform of 1582. Source: `_decode_datetime_with_pandas`. */
function isReadByPandas(units: string): boolean {
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
function isReadByCftime(units: string, calendar: string): boolean {
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
