// How zarr-python reads the chunk grid of an array. Source: `zarr/core/metadata/v3.py` `RectilinearChunkGridMetadata`,
// `zarr/core/metadata/repair.py` `_read_rectilinear_axis`, `zarr/core/common.py` `expand_rle`.
import { isJsonArray, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'

/** The different sizes of chunks, or of shards, in each dimension. None are known of a grid of another reader. */
export type ChunkSizes = readonly (readonly bigint[])[]

/**
 * Reads the sizes, or explains why zarr-python cannot. It reads a rectilinear grid with its setting
 * `array.rectilinear_chunks` only.
 */
export function readChunkSizes({ chunkGrid, chunkShape, shardShape, shape }: ArrayMetadata): ChunkSizes | string {
  if (chunkGrid.name === 'rectilinear') return readRectilinearGrid(chunkGrid.configuration, shape)
  if (chunkGrid.name !== 'regular') return shape.map(() => [])
  const sizes = shardShape ?? chunkShape
  if (sizes === null) return 'its regular chunk grid has no "chunk_shape"'
  return sizes.length === shape.length ? sizes.map((size) => [size]) : 'its chunks have another number of dimensions'
}

function readRectilinearGrid(configuration: JsonObject, shape: readonly bigint[]): ChunkSizes | string {
  if (configuration.get('kind') !== 'inline') return 'its rectilinear chunk grid is not of the kind "inline"'
  const stored = configuration.get('chunk_shapes')
  if (!isJsonArray(stored) || stored.length !== shape.length) {
    return 'its rectilinear chunk grid does not have "chunk_shapes" for each dimension'
  }
  const read = shape.map((extent, axis) => readEdges(stored[axis], extent))
  return read.every((sizes) => sizes !== undefined)
    ? read
    : 'the sizes in its rectilinear chunk grid are not whole numbers from 1 that cover the array'
}

/** Reads one size that repeats, or a list of sizes that together cover the dimension. Undefined if it is neither. */
function readEdges(stored: JsonValue | undefined, extent: bigint): readonly bigint[] | undefined {
  if (!isJsonArray(stored)) {
    const size = readCount(stored)
    return size === undefined ? undefined : [size]
  }
  const sizes = new Set<bigint>()
  let covered = 0n
  for (const edge of stored) {
    // Equal sizes can be written as `[size, count]`.
    const [size, count] = isJsonArray(edge) ? [readSize(edge[0]), readCount(edge[1])] : [readSize(edge), 1n]
    if (size === undefined || count === undefined || (isJsonArray(edge) && edge.length > 2)) return undefined
    covered += size * count
    sizes.add(size)
  }
  return sizes.size > 0 && covered >= extent ? [...sizes] : undefined
}

/** Python's True is the integer 1. */
function readCount(value: JsonValue | undefined): bigint | undefined {
  if (value === true) return 1n
  const isCount = value instanceof JsonNumber && value.isInteger && value.value >= 1
  return isCount ? BigInt(value.text) : undefined
}

/** Some writers stored sizes as floats without a fraction. */
function readSize(value: JsonValue | undefined): bigint | undefined {
  const isWholeFloat = value instanceof JsonNumber && !value.isInteger && Number.isInteger(value.value)
  return isWholeFloat && value.value >= 1 ? BigInt(value.value) : readCount(value)
}
