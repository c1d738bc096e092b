// numpy's data types, as many as xarray can meet in a Zarr group or make of it.
import type { NumpyType, TypeKind } from './dataset.ts'

const plain = (kind: TypeKind, name: string, itemBytes: number): NumpyType => ({ kind, name, text: name, itemBytes })

export const bool = plain('b', 'bool', 1)
export const int64 = plain('i', 'int64', 8)
export const float16 = plain('f', 'float16', 2)
export const float32 = plain('f', 'float32', 4)
export const float64 = plain('f', 'float64', 8)
export const complex64 = plain('c', 'complex64', 8)
export const complex128 = plain('c', 'complex128', 16)
/** Anything Python: variable-length bytes, masked strings, dates of calendars that numpy does not have. */
export const object = plain('O', 'object', 8)
/** Strings of any length; the number in its name is the size of the element, not of a string. */
export const variableString: NumpyType = { kind: 'T', name: 'StringDType128', text: 'StringDType()', itemBytes: 16 }
/** What `numpy.str_` prints as when nothing says how long its texts are. */
export const unsizedString: NumpyType = { kind: 'U', name: 'str', text: '<U0', itemBytes: 0 }

export function integer(kind: 'i' | 'u', itemBytes: number): NumpyType {
  return plain(kind, `${kind === 'i' ? 'int' : 'uint'}${itemBytes * 8}`, itemBytes)
}

/** Strings of up to `length` characters, four bytes each. */
export function fixedString(length: number): NumpyType {
  return { kind: 'U', name: `str${length * 32}`, text: `<U${length}`, itemBytes: length * 4 }
}

/** Bytes padded with zeros to `length`. */
export function fixedBytes(length: number): NumpyType {
  return { kind: 'S', name: `bytes${length * 8}`, text: `|S${length}`, itemBytes: length }
}

/** Uninterpreted bytes. */
export function rawBytes(length: number): NumpyType {
  return { kind: 'V', name: `void${length * 8}`, text: `|V${length}`, itemBytes: length }
}

/** `unit` with its multiple (`10us`), or empty for a type without a unit. */
export function time(kind: 'M' | 'm', unit: string): NumpyType {
  const family = kind === 'M' ? 'datetime64' : 'timedelta64'
  return plain(kind, unit === '' ? family : `${family}[${unit}]`, 8)
}
