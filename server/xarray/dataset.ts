// The dataset that `xarray.open_zarr` makes of a group, as far as it follows from the metadata.
import type { JsonObject } from '@floe/storage/json'
import type { Variable } from './variable.ts'

export type DecodedVariable = Omit<Variable, 'unreadable'> & {
  readonly isCoordinate: boolean
  /** Whether its only dimension has its own name. xarray builds an index of such a coordinate. */
  readonly isIndexed: boolean
}

export type DecodedDataset = {
  /** Names and sizes, in the order in which they first appear among the variables. */
  readonly dimensions: ReadonlyMap<string | null, bigint>
  /** In xarray's order: data variables first, then coordinates. */
  readonly variables: readonly DecodedVariable[]
  readonly attributes: JsonObject
}
