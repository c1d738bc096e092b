// Decodes `_FillValue` from the encoding that xarray uses in Zarr. xarray cannot open a group that has it in another
// encoding. Source: `xarray/backends/zarr.py` `FillValueCoder.decode`, called by `ZarrStore.open_store_variable`.
import { isJsonArray, JsonNumber, type JsonValue } from '@floe/storage/json'
import { decodeBase64 } from './python/base64.ts'
import { CannotDecodeError, type Variable } from './variable.ts'

/** Replaces the encoded `_FillValue` of a variable with a plain value. */
export function decodeFillValue(variable: Variable): Variable {
  const stored = variable.attributes.get('_FillValue')
  if (stored === undefined) return variable
  const decoded = decode(variable, stored)
  return { ...variable, attributes: new Map(variable.attributes).set('_FillValue', decoded) }
}

function decode({ name, type }: Variable, stored: JsonValue): JsonValue {
  switch (type.kind) {
    case 'b':
      return true // Python's bool() accepts every value
    case 'i':
    case 'u':
      return decodeInteger(stored) ?? refuse(name, 'a whole number')
    case 'f':
      return decodeFloat(stored) ?? refuse(name, 'the base64 text of a 64-bit float')
    case 'c':
      return decodeComplex(stored) ?? refuse(name, 'two base64 texts of 64-bit floats')
    default:
      throw new CannotDecodeError(name, `xarray supports no "_FillValue" for the data type ${type.name}`)
  }
}

function refuse(name: string, expected: string): never {
  throw new CannotDecodeError(name, `its "_FillValue" is not ${expected}`)
}

function decodeInteger(stored: JsonValue): JsonValue | undefined {
  if (typeof stored === 'boolean') return new JsonNumber(stored ? '1' : '0')
  if (!(stored instanceof JsonNumber)) return undefined
  if (stored.isInteger) return stored
  return Number.isFinite(stored.value) ? new JsonNumber(String(BigInt(Math.trunc(stored.value)))) : undefined
}

/** Stands for NaN. Like NaN in xarray, an empty list is present and masks nothing. */
const notANumber: JsonValue = []

function decodeFloat(stored: JsonValue): JsonValue | undefined {
  const value = decodeFloat64(stored)
  if (value === undefined) return undefined
  if (Number.isNaN(value)) return notANumber
  // JSON has no word for infinity, but it has numbers that are too large for a double.
  return new JsonNumber(String(value).replace('Infinity', '1e999'))
}

function decodeComplex(stored: JsonValue): JsonValue | undefined {
  if (!isJsonArray(stored) || stored.length !== 2) return undefined
  const parts = stored.map(decodeFloat64)
  if (parts.includes(undefined)) return undefined
  return parts.some(Number.isNaN) ? notANumber : stored
}

function decodeFloat64(stored: JsonValue): number | undefined {
  const bytes = typeof stored === 'string' ? decodeBase64(stored) : undefined
  if (bytes?.length !== 8) return undefined
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(0, true)
}
