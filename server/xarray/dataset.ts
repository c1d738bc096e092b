// The dataset that `xarray.open_zarr` makes of a group, as far as metadata can tell.
import type { JsonObject } from '@floe/storage/json'

/** numpy's letter for a family of data types; `T` is its variable-length string, `V` a struct or raw bytes. */
export type TypeKind = 'b' | 'i' | 'u' | 'f' | 'c' | 'M' | 'm' | 'S' | 'U' | 'T' | 'V' | 'O'

export type NumpyType = {
  /** `dtype.kind`. */
  readonly kind: TypeKind
  /** `dtype.name`, as `info` shows it: `float32`, `datetime64[ns]`, `str160`. */
  readonly name: string
  /** `str(dtype)`, as `dict` and the page show it: `float32`, `<U5`. */
  readonly text: string
  /** `dtype.itemsize`: bytes of one element (object: 8). */
  readonly itemBytes: number
  /** The parts of a record; only records have them. */
  readonly fields?: readonly StructField[]
}

export type StructField = { readonly name: string; readonly type: NumpyType }

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
