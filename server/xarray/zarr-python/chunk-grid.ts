// How zarr-python reads the chunk grid of an array. Source: `zarr/core/metadata/v3.py` `RectilinearChunkGridMetadata`,
// `zarr/core/metadata/repair.py` `_read_rectilinear_axis`, `zarr/core/common.py` `expand_rle`.
import { isJsonArray, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'

/** The chunks, or shards, along one dimension. None are known of a grid of another reader. */
type ChunksAlong = {
  /** Their different sizes. */
  readonly sizes: readonly bigint[]
  /** How many lie in the shape, wholly or in part; null when it is unknown. */
  readonly count: bigint | null
}

/**
 * Reads the chunk grid by dimension, or explains why zarr-python cannot. It reads a rectilinear grid with its setting
 * `array.rectilinear_chunks` only.
 */
export function readChunkGrid({
  chunkGrid,
  chunkShape,
  shardShape,
  shape,
}: ArrayMetadata): readonly ChunksAlong[] | string {
  if (chunkGrid.name === 'rectilinear') return readRectilinearGrid(chunkGrid.configuration, shape)
  if (chunkGrid.name !== 'regular') return shape.map(() => ({ sizes: [], count: null }))
  const sizes = shardShape ?? chunkShape
  if (sizes === null) return 'its regular chunk grid has no "chunk_shape"'
  if (sizes.length !== shape.length) return 'its chunks have another number of dimensions'
  return shape.map((extent, axis) => repeatSize(sizes[axis] ?? 0n, extent))
}

/**
 * Counts the chunks along each dimension. With sharding, shards are counted, because a shard is what is stored. Null
 * when the grid is unknown.
 */
export function countAlongDimensions(array: ArrayMetadata): readonly number[] | null {
  const grid = readChunkGrid(array)
  if (typeof grid === 'string') return null
  const counts = grid.flatMap(({ count }) => (count === null ? [] : [Number(count)]))
  return counts.length === grid.length ? counts : null
}

function readRectilinearGrid(configuration: JsonObject, shape: readonly bigint[]): readonly ChunksAlong[] | string {
  if (configuration.get('kind') !== 'inline') return 'its rectilinear chunk grid is not of the kind "inline"'
  const stored = configuration.get('chunk_shapes')
  if (!isJsonArray(stored) || stored.length !== shape.length) {
    return 'its rectilinear chunk grid does not have "chunk_shapes" for each dimension'
  }
  const read = shape.map((extent, axis) => readEdges(stored[axis], extent))
  return read.every((chunks) => chunks !== undefined)
    ? read
    : 'the sizes in its rectilinear chunk grid are not whole numbers from 1 that cover the array'
}

/** Reads one size that repeats, or a list of sizes that together cover the dimension. Undefined if it is neither. */
function readEdges(stored: JsonValue | undefined, extent: bigint): ChunksAlong | undefined {
  if (!isJsonArray(stored)) {
    const size = readCount(stored)
    return size === undefined ? undefined : repeatSize(size, extent)
  }
  const sizes = new Set<bigint>()
  let [covered, chunks] = [0n, 0n]
  for (const edge of stored) {
    // Equal sizes can be written as `[size, count]`.
    const [size, count] = isJsonArray(edge) ? [readSize(edge[0]), readCount(edge[1])] : [readSize(edge), 1n]
    if (size === undefined || count === undefined || (isJsonArray(edge) && edge.length > 2)) return undefined
    if (covered < extent) {
      const needed = divideUp(extent - covered, size)
      chunks += needed < count ? needed : count
    }
    covered += size * count
    sizes.add(size)
  }
  return sizes.size > 0 && covered >= extent ? { sizes: [...sizes], count: chunks } : undefined
}

function repeatSize(size: bigint, extent: bigint): ChunksAlong {
  return { sizes: [size], count: size === 0n ? null : divideUp(extent, size) }
}

function divideUp(length: bigint, size: bigint): bigint {
  return (length + size - 1n) / size
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
