import type { Completeness } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance } from '@floe/storage/json'
import { ArrayParser, hasRegularGrid } from '@floe/storage/zarr'
import type { ChunkCount } from '../../pages/parts/written-chunks.ts'
import { countAlongDimensions } from '../../xarray/zarr-python/chunk-grid.ts'
import { attemptReading } from '../../groups/open-group.ts'

type ListedSnapshot = Pick<Snapshot, 'nodes' | 'chunkReferences'>

/**
 * Counts the chunks of an array that are written, and those that it has room for.
 *
 * @param index of the array among the nodes of the snapshot
 * @throws what the cancellation throws
 */
export function countChunks(snapshot: ListedSnapshot, index: number, cancellation?: Cancellation): ChunkCount {
  return countOnGrid(snapshot, index, readGridCounts(snapshot, index, cancellation), cancellation)
}

/**
 * Does the same for an array whose grid has been read.
 *
 * @param grid from {@link readGridCounts}
 * @throws what the cancellation throws
 */
export function countOnGrid(
  { chunkReferences }: ListedSnapshot,
  index: number,
  grid: readonly number[] | null,
  cancellation?: Cancellation,
): ChunkCount {
  if (grid === null) return 'unknown_grid'
  const total = grid.includes(0) ? 0 : grid.reduce((product, count) => product * count, 1)
  if (total > Number.MAX_SAFE_INTEGER) return 'too_large'
  const written = chunkReferences.count(index, grid, cancellation)
  if (typeof written === 'string') return written
  return written > total ? 'contradictory' : { written, total }
}

/**
 * Reads how many chunks an array has along each dimension. Null if that is unknown.
 *
 * @throws what the cancellation throws
 */
export function readGridCounts(
  { nodes, chunkReferences }: ListedSnapshot,
  index: number,
  cancellation?: Cancellation,
): readonly number[] | null {
  const document = nodes.readDocument(index)
  // The snapshot has the grid too, and reading it there takes less time.
  const stored = hasRegularGrid(document) ? chunkReferences.readGrid(index) : undefined
  return stored ?? parseGrid(document, cancellation)
}

/** The count in the form of the contract. */
export function describeChunkCount(chunks: ChunkCount): Omit<Completeness['arrays'][number], 'path'> {
  return typeof chunks === 'string' ? { chunks: null, reason: chunks } : { chunks, reason: null }
}

/** Null for a document that cannot be read, or is too large. */
function parseGrid(document: Uint8Array, cancellation: Cancellation | undefined): readonly number[] | null {
  const parser = new ArrayParser(new DocumentAllowance({}, cancellation))
  return attemptReading(() => countAlongDimensions(parser.parse(document))).value ?? null
}
