// What zarr-python makes of a document before xarray sees it: it leaves some arrays out and refuses others, and one
// refusal keeps the whole group from opening.
import { isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import { type ArrayMetadata, type GroupMetadata } from '@floe/storage/zarr'
import { checkCodecs } from './check-codecs.ts'
import type { NumpyType } from '../dataset.ts'
import { parseDataType } from './parse-data-type.ts'
import { isScalar } from './scalar-rules.ts'
import { CannotDecodeError } from '../variable.ts'

/**
 * The data type of an array, or undefined when zarr-python does not see the array at all: it takes a missing member for
 * a sign that the document is of something else, and goes on without. What it has read before it misses one has to please
 * it, so the order counts. Source: `zarr/core/group.py` `_iter_members`, which swallows KeyError;
 * `zarr/core/metadata/v3.py` `ArrayV3Metadata.from_dict`.
 *
 * @throws {@link CannotDecodeError} when the array is refused.
 */
export function recognizeArray(name: string, array: ArrayMetadata): NumpyType | undefined {
  const { document } = array
  const type = parseDataType(document.get('data_type'))
  if (type === undefined) throw new CannotDecodeError(name, `zarr-python has no data type ${array.dataType.name}`)
  if (!document.has('fill_value')) return undefined
  if (!isScalar(type, array.fillValue)) throw new CannotDecodeError(name, `its "fill_value" is no ${type.name}`)
  refuse(name, extraMemberReason(document, arrayMembers))
  if (!document.has('chunk_key_encoding') || !document.has('codecs')) return undefined
  refuse(name, unsupportedStorageReason(array, type))
  return type
}

/** @throws {@link CannotDecodeError} when a group is refused; `name` is null for the one that is opened. */
export function recognizeGroup(name: string | null, { document }: GroupMetadata): void {
  refuse(name, extraMemberReason(document, groupMembers))
}

function refuse(name: string | null, reason: string | undefined): void {
  if (reason !== undefined) throw new CannotDecodeError(name, reason)
}

/** Source: `zarr/core/metadata/v3.py` `ArrayV3Metadata.__init__`. */
function unsupportedStorageReason(array: ArrayMetadata, type: NumpyType): string | undefined {
  const { document, shape, dimensionNames, chunkGrid } = array
  const rank = shape.length
  const storedShape = array.shardShape ?? array.chunkShape
  if (shape.some((size) => size >= 2n ** 63n)) return 'it is larger than numpy can address'
  if (chunkGrid.name !== 'regular' || storedShape === null) return 'its chunk grid is not regular'
  if (storedShape.length !== rank) return 'its chunks have another number of dimensions'
  if (!isKeyEncoding(document.get('chunk_key_encoding'))) return 'zarr-python does not know its "chunk_key_encoding"'
  if (dimensionNames !== null && dimensionNames.length !== rank) return 'it does not name each of its dimensions'
  return checkCodecs(document.get('codecs'), { type, chunkShape: storedShape })
}

const groupMembers: ReadonlySet<string> = new Set(['zarr_format', 'node_type', 'attributes', 'consolidated_metadata'])
const arrayMembers: ReadonlySet<string> = new Set([
  'zarr_format',
  'node_type',
  'data_type',
  'shape',
  'chunk_grid',
  'chunk_key_encoding',
  'fill_value',
  'codecs',
  'attributes',
  'storage_transformers',
  'dimension_names',
])

/** Source: `zarr/core/metadata/v3.py` `parse_extra_fields`. */
function extraMemberReason(document: JsonObject, known: ReadonlySet<string>): string | undefined {
  for (const [name, value] of document) {
    if (known.has(name) || (isJsonObject(value) && value.get('must_understand') === false)) continue
    return `its member "${name}" is unknown and not marked as "must_understand": false`
  }
  return undefined
}

/** Source: `zarr/core/chunk_key_encodings.py`. */
function isKeyEncoding(encoding: JsonValue | undefined): boolean {
  if (!isJsonObject(encoding)) return false
  const name = encoding.get('name')
  const settings = keySettings(encoding)
  if ((name !== 'default' && name !== 'v2') || settings === undefined) return false
  return [...settings].every(([member, value]) => member === 'separator' && (value === '.' || value === '/'))
}

/** A separator may stand beside the name, where it wins over the configuration. */
function keySettings(encoding: JsonObject): JsonObject | undefined {
  const separator = encoding.get('separator')
  if (separator !== undefined) return new Map([['separator', separator]])
  const configuration = encoding.get('configuration') ?? new Map<string, JsonValue>()
  return isJsonObject(configuration) ? configuration : undefined
}

/**
 * Why no value of the array can be read, in words; undefined when there is no such reason. Icechunk gives out chunks by
 * the keys of the default encoding alone. Source: icechunk, `icechunk/src/store.rs`, `Key::parse`.
 */
export function unreadableReason({ document, shape }: ArrayMetadata): string | undefined {
  const encoding = document.get('chunk_key_encoding')
  if (!isJsonObject(encoding) || shape.includes(0n)) return undefined
  const hasSlashes = shape.length === 0 || (keySettings(encoding)?.get('separator') ?? '/') === '/'
  if (encoding.get('name') === 'default' && hasSlashes) return undefined
  return 'Icechunk cannot find its chunks under this "chunk_key_encoding"'
}
