// `scale_factor` and `add_offset`. Source: `xarray/coding/variables.py` `CFScaleOffsetCoder.decode`.
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import { bool, float32, float64, int64, object, unsizedString, type NumpyType } from '../data-types.ts'
import { ravel } from '../python/ravel.ts'
import { isTimeLike } from './time-units.ts'
import { CannotDecodeError, consume, type Variable } from '../variable.ts'

/** Decodes packing. Must run after `decodeMask`, which sets the type if there are fill values. */
export function decodePacking(variable: Variable): Variable {
  const { attributes } = variable
  if (!attributes.has('scale_factor') && !attributes.has('add_offset')) return variable
  for (const name of ['scale_factor', 'add_offset']) requireSingleValue(variable, name)
  const { encoding } = variable
  const isMasked = encoding.has('_FillValue') || encoding.has('missing_value')
  const hasFinalType = isMasked && !isTimeLike(attributes.get('units'))
  const type = hasFinalType ? variable.type : unpackType(variable.type, attributes)
  const unpacked = { ...consume(variable, 'scale_factor', 'add_offset'), type }
  return canCompute(unpacked) && canConvert(variable, type)
    ? unpacked
    : { ...unpacked, unreadable: 'it cannot be scaled or offset' }
}

function requireSingleValue({ name, attributes }: Variable, attribute: string): void {
  const value = attributes.get(attribute)
  if (!isJsonArray(value) || ravel(value)?.length === 1) return
  throw new CannotDecodeError(name, `its "${attribute}" is a list that does not have exactly one value`)
}

/**
 * Whether numpy can compute the values in place, which keeps their type. It cannot if a factor is text or an object.
 */
function canCompute({ type, encoding }: Variable): boolean {
  const [scaleFactor, addOffset] = ['scale_factor', 'add_offset'].map(
    (name) => ravel(encoding.get(name) ?? null)?.[0] ?? null,
  )
  return canScale(type, scaleFactor ?? null) && canAdd(type, addOffset ?? null)
}

function canScale(type: NumpyType, factor: JsonValue): boolean {
  const isWhole = factor instanceof JsonNumber && factor.isInteger
  // A whole number repeats strings and bytes.
  return ('SUT'.includes(type.kind) && isWhole) || canAdd(type, factor)
}

/** Booleans need a boolean, and numbers a number that their type can hold. */
function canAdd({ kind }: NumpyType, factor: JsonValue): boolean {
  if (factor === null) return true
  if (typeof factor === 'string' || isJsonObject(factor) || !'biufcO'.includes(kind)) return false
  if (kind === 'b') return typeof factor === 'boolean'
  if (!(factor instanceof JsonNumber) || !factor.isInteger) return true
  if ('iu'.includes(kind)) return BigInt.asIntN(64, BigInt(factor.text)) === BigInt(factor.text)
  return kind === 'O' || Number.isFinite(factor.value)
}

/** Whether numpy can convert stored values to the type: raw bytes to nothing but booleans, and records to nothing. */
function canConvert({ type, shape }: Variable, target: NumpyType): boolean {
  if (type.kind !== 'V' || target.kind === 'V' || target.kind === 'O') return true
  return type.fields === undefined ? target.kind === 'b' || shape.includes(0n) : type.fields.length === 1
}

/**
 * Chooses the type of unpacked values. Without `add_offset`, the type of `scale_factor` alone decides it, so it can be
 * an integer. Source: `_choose_float_dtype`.
 */
export function unpackType(type: NumpyType, attributes: JsonObject): NumpyType {
  const scaleFactor = attributes.get('scale_factor') ?? null
  const addOffset = attributes.get('add_offset') ?? null
  if (addOffset !== null) return float64
  if (scaleFactor !== null) return readValueType(scaleFactor)
  const isSmallFloat = type.kind === 'f' && type.itemBytes <= 4
  const isSmallInteger = (type.kind === 'i' || type.kind === 'u') && type.itemBytes <= 2
  return isSmallFloat || isSmallInteger ? float32 : float64
}

/** Finds `numpy.dtype(type(value))` of a value that Python's `json` has parsed. */
function readValueType(value: Exclude<JsonValue, null>): NumpyType {
  if (typeof value === 'boolean') return bool
  if (typeof value === 'string') return unsizedString
  if (value instanceof JsonNumber) return value.isInteger ? int64 : float64
  return object
}
