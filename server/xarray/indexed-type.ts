// The types of dimension coordinates. When xarray opens a group, it reads all their values, and pandas makes an index
// of them. Source: `xarray/core/variable.py` `to_index_variable`, `xarray/core/indexing.py` `PandasIndexingAdapter`.
import { makeTime, type NumpyType } from './data-types.ts'
import { CannotDecodeError, type Variable } from './variable.ts'

/**
 * Finds the type of the values in the index. The resolution of durations may be finer than that of `dtype`.
 *
 * @throws {@link CannotDecodeError} when pandas cannot make an index
 */
export function findIndexedType(variable: Variable): NumpyType {
  const { name, type, encoding, unreadable } = variable
  if (unreadable !== undefined) throw new CannotDecodeError(name, unreadable)
  const units = encoding.get('units')
  const indexed = type.kind === 'm' && typeof units === 'string' ? findDurationType(variable, units) : type
  if ((indexed.kind === 'M' || indexed.kind === 'm') && !/\[[a-z]+\]$/i.test(indexed.text)) {
    throw new CannotDecodeError(name, `pandas cannot make an index of ${indexed.text}, which has no plain unit`)
  }
  return indexed
}

const resolutions = ['s', 'ms', 'us', 'ns']
/** The units of CF with these resolutions. Coarser units count as seconds. */
const resolutionUnits = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds']

/**
 * Picks the finer of two resolutions: the requested one and that of the unit. For an array without values, xarray
 * ignores the request. (Fractions can make the resolution finer still, but metadata does not show them.) Source:
 * `xarray/coding/times.py` `decode_cf_timedelta`.
 */
function findDurationType({ type, shape }: Variable, units: string): NumpyType {
  const requested = resolutions.findIndex((unit) => type.text === makeTime('m', unit).text)
  const ofUnit = Math.max(resolutionUnits.indexOf(units), 0)
  if (shape.includes(0n)) return makeTime('m', resolutions[ofUnit] ?? 's')
  return requested === -1 ? type : makeTime('m', resolutions[Math.max(requested, ofUnit)] ?? 's')
}
