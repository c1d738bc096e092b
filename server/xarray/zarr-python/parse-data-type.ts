// The data types of Zarr as zarr-python passes them to xarray. Comments name the classes in `zarr/core/dtype/npy/`.
// Byte order does not matter: zarr-python decodes to that of the machine.
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import {
  bool,
  complex128,
  complex64,
  makeFixedBytes,
  makeFixedString,
  float16,
  float32,
  float64,
  makeInteger,
  object,
  makeRawBytes,
  makeTime,
  variableString,
  type NumpyType,
} from '../data-types.ts'
import { clipPythonStr } from '../python/text.ts'
import { makeStructType } from './struct-type.ts'

const plainTypes: ReadonlyMap<string, NumpyType> = new Map([
  ...[bool, float16, float32, float64, complex64, complex128].map(keyByName),
  ...[1, 2, 4, 8].flatMap((size) => [keyByName(makeInteger('i', size)), keyByName(makeInteger('u', size))]),
  ['string', variableString], // VariableLengthUTF8
  ['variable_length_bytes', object], // VariableLengthBytes
  ['bytes', object],
])

function keyByName(type: NumpyType): readonly [string, NumpyType] {
  return [type.name, type]
}

const configuredTypes: ReadonlyMap<string, (configuration: JsonObject) => NumpyType | undefined> = new Map([
  // NullTerminatedBytes. Unlike the other classes, it accepts other members beside the length.
  ['null_terminated_bytes', (configuration) => parseLength(configuration, makeFixedBytes)],
  ['raw_bytes', (configuration) => parseOnlyLength(configuration, makeRawBytes)],
  // FixedLengthUTF32 takes four bytes for each character and drops a remainder.
  ['fixed_length_utf32', (configuration) => parseOnlyLength(configuration, makeFixedString, 4)],
  ['numpy.datetime64', (configuration) => parseTime('M', configuration)],
  ['numpy.timedelta64', (configuration) => parseTime('m', configuration)],
  ['struct', parseStruct],
  ['structured', parseStruct],
])

/**
 * Parses an array's `data_type`; undefined if zarr-python does not know the type. The form matters:
 * `"int8"` is a type and `{ "name": "int8", "configuration": {} }` is not.
 */
export function parseDataType(dataType: JsonValue | undefined): NumpyType | undefined {
  if (typeof dataType === 'string') return plainTypes.get(dataType)
  if (!isJsonObject(dataType) || !hasExactly(dataType, 'name', 'configuration')) return undefined
  const name = dataType.get('name')
  const configuration = dataType.get('configuration')
  if (typeof name !== 'string' || !isJsonObject(configuration)) return undefined
  return configuredTypes.get(name)?.(configuration)
}

/** Characters of a data type that an error shows. */
const maxShownLength = 200

/** Explains why {@link parseDataType} cannot parse a data type: zarr-python does not know it, or refuses its form. */
export function explainDataType(dataType: JsonValue | undefined): string {
  const name = isJsonObject(dataType) ? dataType.get('name') : dataType
  if (typeof name !== 'string' || !(plainTypes.has(name) || configuredTypes.has(name))) {
    return `zarr-python has no data type ${typeof name === 'string' ? name : 'without a name'}`
  }
  const { text, isCut } = clipPythonStr(dataType ?? null, maxShownLength)
  return `zarr-python has a data type ${name}, but not with the configuration in ${text}${isCut ? '…' : ''}`
}

function hasExactly(object: JsonObject, ...names: readonly string[]): boolean {
  return object.size === names.length && names.every((name) => object.has(name))
}

/** numpy stores the size of an element in 32 bits. */
const maxItemBytes = 2 ** 31 - 1

/** Reads a whole number of at least 1; undefined for anything else. */
function readCount(configuration: JsonObject, name: string): number | undefined {
  const value = configuration.get(name)
  if (!(value instanceof JsonNumber) || !value.isInteger) return undefined
  return value.value >= 1 && value.value <= maxItemBytes ? value.value : undefined
}

/** Reads the length in bytes, and makes the type with as many units as fit. */
function parseLength(configuration: JsonObject, make: (length: number) => NumpyType, unitBytes = 1) {
  const length = Math.floor((readCount(configuration, 'length_bytes') ?? 0) / unitBytes)
  return length === 0 ? undefined : make(length)
}

function parseOnlyLength(...call: Parameters<typeof parseLength>) {
  return hasExactly(call[0], 'length_bytes') ? parseLength(...call) : undefined
}

const timeUnits: ReadonlySet<string> = new Set('Y M W D h m s ms us μs ns ps fs as generic'.split(' '))

/** DateTime64 and TimeDelta64. */
function parseTime(kind: 'M' | 'm', configuration: JsonObject): NumpyType | undefined {
  const unit = configuration.get('unit')
  const multiple = readCount(configuration, 'scale_factor')
  if (multiple === undefined || typeof unit !== 'string' || !timeUnits.has(unit)) return undefined
  if (!hasExactly(configuration, 'unit', 'scale_factor')) return undefined
  if (unit === 'generic') return makeTime(kind, '')
  return makeTime(kind, `${multiple === 1 ? '' : multiple}${unit === 'μs' ? 'us' : unit}`)
}

/** Struct. It also accepts the older spelling of a field, a pair of name and type. */
function parseStruct(configuration: JsonObject): NumpyType | undefined {
  const fields = configuration.get('fields')
  if (!isJsonArray(fields) || !hasExactly(configuration, 'fields')) return undefined
  const parsed = fields.map((field) => {
    const [name, dataType] = isJsonObject(field) ? [field.get('name'), field.get('data_type')] : readPair(field)
    const type = parseDataType(dataType)
    return typeof name === 'string' && type !== undefined ? { name, type } : undefined
  })
  const type = parsed.every((field) => field !== undefined) ? makeStructType(parsed) : undefined
  return type !== undefined && type.itemBytes <= maxItemBytes ? type : undefined
}

function readPair(field: JsonValue): readonly (JsonValue | undefined)[] {
  return isJsonArray(field) && field.length === 2 ? field : []
}
