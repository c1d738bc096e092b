// The data types of numpy that xarray can find in a Zarr group, or decode to.

/** numpy's letter for a family of data types; `T` is its variable-length string, `V` a struct or raw bytes. */
type TypeKind = 'b' | 'i' | 'u' | 'f' | 'c' | 'M' | 'm' | 'S' | 'U' | 'T' | 'V' | 'O'

export type NumpyType = {
  /** `dtype.kind`. */
  readonly kind: TypeKind
  /** `dtype.name`, as `info` shows it: `float32`, `datetime64[ns]`, `str160`. */
  readonly name: string
  /** `str(dtype)`, as `dict` and the page show it: `float32`, `<U5`. */
  readonly text: string
  /** `dtype.itemsize`: bytes of one element (object: 8). */
  readonly itemBytes: number
  /** The fields of a record; undefined for other types. */
  readonly fields?: readonly StructField[]
}

export type StructField = { readonly name: string; readonly type: NumpyType }

function makePlain(kind: TypeKind, name: string, itemBytes: number): NumpyType {
  return { kind, name, text: name, itemBytes }
}

export const bool = makePlain('b', 'bool', 1)
export const int64 = makePlain('i', 'int64', 8)
export const float16 = makePlain('f', 'float16', 2)
export const float32 = makePlain('f', 'float32', 4)
export const float64 = makePlain('f', 'float64', 8)
export const complex64 = makePlain('c', 'complex64', 8)
export const complex128 = makePlain('c', 'complex128', 16)
/** Python objects: variable-length bytes, masked strings, dates of calendars that numpy does not have. */
export const object = makePlain('O', 'object', 8)
/** Strings of any length; the number in its name is the size of the element, not of a string. */
export const variableString: NumpyType = { kind: 'T', name: 'StringDType128', text: 'StringDType()', itemBytes: 16 }
/** `numpy.str_` without a length. */
export const unsizedString: NumpyType = { kind: 'U', name: 'str', text: '<U0', itemBytes: 0 }

/** Makes the type of integers with a sign (`i`) or without one (`u`). */
export function makeInteger(kind: 'i' | 'u', itemBytes: number): NumpyType {
  return makePlain(kind, `${kind === 'i' ? 'int' : 'uint'}${itemBytes * 8}`, itemBytes)
}

/** Makes the type of strings of up to `length` characters, four bytes each. */
export function makeFixedString(length: number): NumpyType {
  return { kind: 'U', name: `str${length * 32}`, text: `<U${length}`, itemBytes: length * 4 }
}

/** Makes the type of bytes that are padded with zeros to `length`. */
export function makeFixedBytes(length: number): NumpyType {
  return { kind: 'S', name: `bytes${length * 8}`, text: `|S${length}`, itemBytes: length }
}

export function makeRawBytes(length: number): NumpyType {
  return { kind: 'V', name: `void${length * 8}`, text: `|V${length}`, itemBytes: length }
}

/** Makes the type of dates (`M`) or durations (`m`). `unit` can have a multiple (`10us`), or be empty. */
export function makeTime(kind: 'M' | 'm', unit: string): NumpyType {
  const family = kind === 'M' ? 'datetime64' : 'timedelta64'
  return makePlain(kind, unit === '' ? family : `${family}[${unit}]`, 8)
}
