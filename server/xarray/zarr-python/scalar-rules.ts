// Which JSON values zarr-python accepts as one element of a data type, such as the `fill_value` of an array. Source:
// `zarr/core/dtype/npy/`, `from_json_scalar` of each class.
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from '@floe/storage/json'
import { decodeBase64 } from '../python/base64.ts'
import { isPythonFloat, parsePythonInteger } from '../python/numbers.ts'
import type { NumpyType } from '../data-types.ts'

/** Whether zarr-python accepts a JSON value as one element of a data type. */
export function isScalar(type: NumpyType, value: JsonValue): boolean {
  switch (type.kind) {
    case 'b':
      return true // bool() takes everything
    case 'i':
    case 'u':
      return fits(type, readInteger(value))
    case 'f':
      return isFloat(value) || (typeof value === 'string' && isPythonFloat(value))
    case 'c':
      return isJsonArray(value) && value.length === 2 && value.every(isFloat)
    case 'M':
    case 'm':
      return value === 'NaT' || fits(type, readTimeCount(value))
    case 'U':
      return typeof value === 'string'
    case 'T':
      return value !== null && !isJsonArray(value) && !isJsonObject(value)
    case 'S':
    case 'O':
      return isBase64(value)
    case 'V':
      return isVoid(type, value)
  }
}

function fits({ kind, itemBytes }: NumpyType, value: bigint | undefined): boolean {
  if (value === undefined) return false
  const bits = itemBytes * 8
  return (kind === 'u' ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value)) === value
}

function readInteger(value: JsonValue): bigint | undefined {
  if (value instanceof JsonNumber && !value.isInteger) {
    return Number.isInteger(value.value) ? BigInt(value.value) : undefined
  }
  return typeof value === 'string' ? parsePythonInteger(value) : readTimeCount(value)
}

function readTimeCount(value: JsonValue): bigint | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return value instanceof JsonNumber && value.isInteger ? BigInt(value.text) : undefined
}

const floatBits = /^0x(?:[0-9a-f]{4}|[0-9a-f]{8}|[0-9a-f]{16})$/i

function isFloat(value: JsonValue): boolean {
  if (typeof value === 'boolean') return true
  // An integer beyond the doubles overflows, a float becomes infinite.
  if (value instanceof JsonNumber) return !value.isInteger || Number.isFinite(value.value)
  if (typeof value !== 'string') return false
  return ['NaN', 'Infinity', '-Infinity'].includes(value) || floatBits.test(value)
}

const isBase64 = (value: JsonValue) => typeof value === 'string' && decodeBase64(value) !== undefined

/** Raw bytes can have any number of bytes. A struct needs the bytes of whole elements, or values by field. */
function isVoid({ fields, itemBytes }: NumpyType, value: JsonValue): boolean {
  if (fields === undefined) return isBase64(value)
  if (isJsonObject(value)) {
    return fields.every(({ name, type }) => {
      const element = value.get(name)
      return element === undefined || isScalar(type, element)
    })
  }
  const bytes = typeof value === 'string' ? decodeBase64(value) : undefined
  return bytes !== undefined && bytes.length > 0 && bytes.length % itemBytes === 0
}
