// Checks documents like zarr-python, which reads them before xarray. It leaves some arrays out and refuses others; a
// single refused array makes opening the whole group fail.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import { type ArrayMetadata, type GroupMetadata } from '@floe/storage/zarr'
import { checkCodecs } from './check-codecs.ts'
import { readChunkGrid } from './chunk-grid.ts'
import { howToName } from '../dimensions.ts'
import type { NumpyType } from '../data-types.ts'
import { explainDataType, parseDataType } from './parse-data-type.ts'
import { isScalar } from './scalar-rules.ts'
import { CannotDecodeError } from '../variable.ts'

/**
 * Finds the data type of an array; undefined if zarr-python leaves the array out because a member is missing.
 * zarr-python checks the members that it reads before the missing one, so the order of the checks matters. Source:
 * `zarr/core/group.py` `_iter_members`, which swallows KeyError; `zarr/core/metadata/v3.py`
 * `ArrayV3Metadata.from_dict`.
 *
 * @throws {@link CannotDecodeError} when the array is refused.
 */
export function recognizeArray(name: string, array: ArrayMetadata): NumpyType | undefined {
  const { document } = array
  const dataType = document.get('data_type')
  const type = parseDataType(dataType)
  if (type === undefined) throw new CannotDecodeError(name, explainDataType(dataType))
  if (!document.has('fill_value')) return undefined
  if (!isScalar(type, array.fillValue)) throw new CannotDecodeError(name, `its "fill_value" is no ${type.name}`)
  refuse(name, explainExtraMember(document, arrayMembers))
  if (!document.has('chunk_key_encoding') || !document.has('codecs')) return undefined
  refuse(name, explainUnsupportedStorage(array, type))
  return type
}

/** @throws {@link CannotDecodeError} when a group is refused. `name` is null for the group that is opened. */
export function recognizeGroup(name: string | null, { document }: GroupMetadata): void {
  refuse(name, explainExtraMember(document, groupMembers))
}

function refuse(name: string | null, reason: string | undefined): void {
  if (reason !== undefined) throw new CannotDecodeError(name, reason)
}

/** Source: `zarr/core/metadata/v3.py` `ArrayV3Metadata.__init__`. */
function explainUnsupportedStorage(array: ArrayMetadata, type: NumpyType): string | undefined {
  const { document, shape, dimensionNames } = array
  const rank = shape.length
  if (shape.some((size) => size >= 2n ** 63n)) return 'it is larger than numpy can address'
  const grid = readChunkGrid(array)
  if (typeof grid === 'string') return grid
  if (!isKeyEncoding(document.get('chunk_key_encoding'))) return 'zarr-python does not know its "chunk_key_encoding"'
  if (dimensionNames !== null && dimensionNames.length !== rank) {
    const fault =
      dimensionNames.length < rank ? 'it does not name each of its dimensions' : 'it names more dimensions than it has'
    return `${fault}; ${howToName}`
  }
  const transformers = document.get('storage_transformers') ?? null
  if (transformers !== null && !isJsonArray(transformers) && !isJsonObject(transformers)) {
    return 'its "storage_transformers" are not a list'
  }
  return checkCodecs(document.get('codecs'), { type, chunkSizes: grid.map(({ sizes }) => sizes) })
}

const groupMembers: ReadonlySet<string> = new Set('zarr_format node_type attributes consolidated_metadata'.split(' '))
const arrayMembers: ReadonlySet<string> = new Set(
  (
    'zarr_format node_type data_type shape chunk_grid chunk_key_encoding fill_value codecs attributes ' +
    'storage_transformers dimension_names'
  ).split(' '),
)

/** Source: `zarr/core/metadata/v3.py` `parse_extra_fields`. */
function explainExtraMember(document: JsonObject, allowed: ReadonlySet<string>): string | undefined {
  for (const [name, value] of document) {
    if (allowed.has(name) || (isJsonObject(value) && value.get('must_understand') === false)) continue
    return `its member "${name}" is unknown and not marked as "must_understand": false`
  }
  return undefined
}

/** Source: `zarr/core/chunk_key_encodings.py`. */
function isKeyEncoding(encoding: JsonValue | undefined): boolean {
  if (!isJsonObject(encoding)) return false
  const name = encoding.get('name')
  const settings = readKeySettings(encoding)
  if ((name !== 'default' && name !== 'v2') || settings === undefined) return false
  return [...settings].every(([member, value]) => member === 'separator' && (value === '.' || value === '/'))
}

/** Reads the settings. A separator beside the name overrides the configuration. */
function readKeySettings(encoding: JsonObject): JsonObject | undefined {
  const separator = encoding.get('separator')
  if (separator !== undefined) return new Map([['separator', separator]])
  const configuration = encoding.has('configuration') ? encoding.get('configuration') : new Map<string, JsonValue>()
  return isJsonObject(configuration) ? configuration : undefined
}

/**
 * Explains why no value of the array can be read; undefined if values can be read. Icechunk finds chunks only by the
 * keys of the default encoding. Source: icechunk, `icechunk/src/store.rs`, `Key::parse`.
 */
export function explainUnreadable({ document, shape }: ArrayMetadata): string | undefined {
  const encoding = document.get('chunk_key_encoding')
  if (!isJsonObject(encoding) || shape.includes(0n)) return undefined
  const hasSlashes = shape.length === 0 || (readKeySettings(encoding)?.get('separator') ?? '/') === '/'
  if (encoding.get('name') === 'default' && hasSlashes) return undefined
  return 'Icechunk cannot find its chunks under this "chunk_key_encoding"'
}
