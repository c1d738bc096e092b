// The dataset that `xarray.open_zarr` makes of a group, as far as metadata can tell.
import type { JsonObject } from '@floe/storage/json'
import type { Variable } from './variable.ts'

export type DecodedVariable = Omit<Variable, 'unreadable'> & {
  readonly isCoordinate: boolean
  /** A coordinate whose only dimension is itself: xarray builds an index for it. */
  readonly isIndexed: boolean
}

export type DecodedDataset = {
  /** Name and size, by first appearance among the variables. */
  readonly dimensions: ReadonlyMap<string | null, bigint>
  /** In xarray's order: data variables first, then coordinates. */
  readonly variables: readonly DecodedVariable[]
  readonly attributes: JsonObject
}
