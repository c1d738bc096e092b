// Fill values: which attributes name them, and what masking does to the data type.
// Source: `xarray/coding/variables.py` `CFMaskCoder.decode`.
import { isJsonObject, JsonNumber, type JsonValue } from '@floe/storage/json'
import { float32, float64, int64, makeInteger, object, type NumpyType } from '../data-types.ts'
import { unpackType } from './packing.ts'
import { ravel } from '../python/ravel.ts'
import { isTimeLike } from './time-units.ts'
import { CannotDecodeError, consume, type Variable, omit } from '../variable.ts'

const fillAttributes = ['missing_value', '_FillValue']

/** Decodes masking. `decodeFillValue` must run first, so that `_FillValue` is a plain value. */
export function decodeMask(variable: Variable): Variable {
  if (![...fillAttributes, '_Unsigned'].some((name) => variable.attributes.has(name))) return variable
  const { present, isMasked } = readFillAttributes(variable)
  const dropped = fillAttributes.filter((name) => !present.includes(name))
  const consumed = consume({ ...variable, attributes: omit(variable.attributes, ...dropped) }, ...present)
  const unsigned = decodeUnsigned(consumed)
  return isMasked ? mask(unsigned) : unsigned
}

function mask(variable: Variable): Variable {
  const { type, attributes } = variable
  if (attributes.has('scale_factor') || attributes.has('add_offset')) {
    const packed = { ...variable, type: unpackType(type, attributes) }
    // numpy integers have no NaN.
    const unreadable = 'it is masked and has a whole number as "scale_factor"'
    return packed.type.kind === 'i' ? { ...packed, unreadable } : packed
  }
  const isTime = isInteger(type) && isTimeLike(attributes.get('units'))
  return { ...variable, type: isTime ? int64 : promoteType(type) }
}

/**
 * Which fill attributes count as present, and whether any of them masks something. On integers, an attribute without a
 * usable value does not count as present; on other types it does. Source: `_check_fill_values`.
 */
function readFillAttributes({ name, type, attributes }: Variable) {
  const present: string[] = []
  let isMasked = false
  for (const attribute of fillAttributes) {
    const value = attributes.get(attribute) ?? null
    if (value === null) continue
    const isUsable = hasUsableValue(name, attribute, value)
    if (isUsable || !isInteger(type)) present.push(attribute)
    isMasked ||= isUsable
  }
  return { present, isMasked }
}

function hasUsableValue(name: string, attribute: string, value: JsonValue): boolean {
  const elements = ravel(value)
  if (elements === undefined) throw new CannotDecodeError(name, `its "${attribute}" is a list of uneven lists`)
  if (elements.some(isJsonObject)) throw new CannotDecodeError(name, `its "${attribute}" is or holds an object`)
  return elements.some((element) => element !== null)
}

const isInteger = ({ kind }: NumpyType) => kind === 'i' || kind === 'u'

/** Applies `_Unsigned`. Source: `_convert_unsigned_fill_value`. */
function decodeUnsigned(variable: Variable): Variable {
  const unsigned = variable.attributes.get('_Unsigned')
  const consumed = consume(variable, '_Unsigned')
  const { kind, itemBytes } = variable.type
  const target = kind === 'i' && unsigned === 'true' ? 'u' : kind === 'u' && unsigned === 'false' ? 'i' : undefined
  if (target === undefined) return consumed
  const fillValue = variable.encoding.get('_FillValue')
  // The fill value must fit the signed type, even if the stored type is unsigned.
  const value = fillValue instanceof JsonNumber ? BigInt(fillValue.text) : 0n
  if (BigInt.asIntN(itemBytes * 8, value) !== value) {
    throw new CannotDecodeError(variable.name, `its "_FillValue" does not fit a signed integer of its size`)
  }
  return { ...consumed, type: makeInteger(target, itemBytes) }
}

/** The smallest type that also holds a missing value. Source: `xarray/core/dtypes.py` `maybe_promote`. */
function promoteType(type: NumpyType): NumpyType {
  switch (type.kind) {
    case 'f':
    case 'c':
      return type
    case 'i':
    case 'u':
      return type.itemBytes <= 2 ? float32 : float64
    default:
      return object
  }
}
