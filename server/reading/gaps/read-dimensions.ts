import type { Snapshot } from '@floe/storage/icechunk'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { attemptReading } from '../../groups/open-group.ts'
import { readChunkGrid } from '../../xarray/zarr-python/chunk-grid.ts'
import type { ParsingBatches } from '../parsing-batches.ts'

/** A dimension of an array, in positions of chunks. */
export type ChunkedDimension = {
  /** As xarray names it. */
  readonly name: string
  readonly positions: number
  /** The number of elements along one chunk; null if sizes differ, or are unknown. */
  readonly size: number | null
}

/** Describes the dimensions of an array whose grid has been read. */
export function readDimensions(
  { nodes }: Pick<Snapshot, 'nodes'>,
  index: number,
  grid: readonly number[],
  parsing: ParsingBatches,
): readonly ChunkedDimension[] {
  const array = readArray(nodes.readDocument(index), parsing)
  const chunks = array === undefined ? [] : readChunkGrid(array)
  return grid.map((positions, axis) => ({
    // Source: `xarray/core/variable.py`, and `zarr_version` 3 of `xarray/backends/zarr.py`.
    name: array?.dimensionNames?.[axis] ?? `dim_${axis}`,
    positions,
    size: typeof chunks === 'string' ? null : findSize(chunks[axis]?.sizes),
  }))
}

/** Parses the document of an array. Undefined if it cannot be read. */
export function readArray(document: Uint8Array, parsing: ParsingBatches): ArrayMetadata | undefined {
  const { arrays } = parsing.next()
  const { value, refusal } = attemptReading(() => arrays.parse(document))
  if (refusal?.isTooLarge !== true) return value
  const isShared = parsing.isShared
  parsing.renew()
  // The arrays before it may have used up the allowance.
  return isShared ? readArray(document, parsing) : undefined
}

function findSize(sizes: readonly bigint[] = []): number | null {
  const [size] = sizes
  return sizes.length === 1 && size !== undefined && size <= Number.MAX_SAFE_INTEGER ? Number(size) : null
}
