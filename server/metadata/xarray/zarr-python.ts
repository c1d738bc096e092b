// What zarr-python makes of a document before xarray sees it: it leaves some arrays out and refuses others, and one
// refusal keeps the whole group from opening.
import {
  type ArrayMetadata,
  type GroupMetadata,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@floe/storage/zarr'
import { checkCodecs } from './check-codecs.ts'
import type { NumpyType } from './dataset.ts'
import { isScalarOf } from './scalar-rules.ts'

/**
 * Whether zarr-python sees an array at all. It takes a missing member for a sign that the document is of something else
 * and goes on without. Source: `zarr/core/group.py` `_iter_members`, which swallows KeyError.
 */
export function isRecognized({ document }: ArrayMetadata): boolean {
  return ['fill_value', 'chunk_key_encoding', 'codecs'].every((member) => document.has(member))
}

/** Why an array is refused, in words; undefined when it is not. Source: `zarr/core/metadata/v3.py`. */
export function unsupportedArrayReason(array: ArrayMetadata, type: NumpyType): string | undefined {
  const { document, shape, dimensionNames, chunkGrid } = array
  const rank = shape.length
  const storedShape = array.shardShape ?? array.chunkShape
  if (!isScalarOf(type, array.fillValue)) return `its "fill_value" is no ${type.name}`
  const extra = findExtraMember(document, arrayMembers)
  if (extra !== undefined) return `its member "${extra}" is unknown and not marked as "must_understand": false`
  if (shape.some((size) => size >= 2n ** 63n)) return 'it is larger than numpy can address'
  if (chunkGrid.name !== 'regular' || storedShape === null) return 'its chunk grid is not regular'
  if (storedShape.length !== rank) return 'its chunks have another number of dimensions'
  if (!isKeyEncoding(document.get('chunk_key_encoding'))) return 'zarr-python does not know its "chunk_key_encoding"'
  if (dimensionNames !== null && dimensionNames.length !== rank) return 'it does not name each of its dimensions'
  return checkCodecs(document.get('codecs'), { type, chunkShape: storedShape })
}

/** Why a group is refused, in words; undefined when it is not. Source: `zarr/core/group.py` `GroupMetadata.from_dict`. */
export function unsupportedGroupReason({ document }: GroupMetadata): string | undefined {
  const extra = findExtraMember(document, groupMembers)
  return extra === undefined ? undefined : `its member "${extra}" is unknown and not marked as "must_understand": false`
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

function findExtraMember(document: JsonObject, known: ReadonlySet<string>): string | undefined {
  for (const [name, value] of document) {
    if (known.has(name) || (isJsonObject(value) && value.get('must_understand') === false)) continue
    return name
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
