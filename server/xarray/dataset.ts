// The dataset that `xarray.open_zarr` makes of a group, as far as metadata can tell.
import type { JsonObject } from '@floe/storage/json'
import type { NumpyType } from './data-types.ts'

export type DecodedVariable = {
  readonly name: string
  readonly type: NumpyType
  /** A dimension may be unnamed (null). */
  readonly dimensions: readonly (string | null)[]
  /** Sizes in the order of `dimensions`; bigint because Zarr allows more than 2^53. */
  readonly shape: readonly bigint[]
  /** Without the attributes that decoding has consumed. */
  readonly attributes: JsonObject
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
