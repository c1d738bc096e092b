// Names and sizes of dimensions. xarray needs the names; in Zarr they are optional.
import type { ArrayMetadata } from '@floe/storage/zarr'
import type { DecodedVariable } from './dataset.ts'
import { CannotDecodeError } from './variable.ts'

/** The end of an error message about unnamed dimensions. */
export const howToName = 'write them as "dimension_names" in its zarr.json, or pass dimension_names= when you create it'

/**
 * Adds the name null for each dimension after the last name. An array with more names than dimensions stays as it is.
 */
export function padDimensionNames(array: ArrayMetadata): ArrayMetadata {
  const names = array.dimensionNames ?? []
  if (names.length >= array.shape.length) return array
  return { ...array, dimensionNames: array.shape.map((_, index) => names[index] ?? null) }
}

/**
 * Collects the sizes of all dimensions, ordered by first appearance. xarray treats all dimensions without a name as the
 * same dimension. With `mayUnnamedDiffer` their sizes may differ, and the last one is returned. Source:
 * `xarray/core/dataset.py` and `xarray/structure/merge.py`.
 *
 * @throws {@link CannotDecodeError} when variables do not agree on a dimension
 */
export function collectDimensions(
  variables: readonly DecodedVariable[],
  { mayUnnamedDiffer = false } = {},
): ReadonlyMap<string | null, bigint> {
  const sizes = new Map<string | null, bigint>()
  for (const { name, dimensions, shape } of variables) {
    for (const [index, dimension] of dimensions.entries()) {
      const size = shape[index] ?? 0n
      const earlierSize = sizes.get(dimension) ?? size
      if (earlierSize !== size && !(dimension === null && mayUnnamedDiffer)) {
        throw new CannotDecodeError(name, explainConflict(dimension, size, earlierSize))
      }
      sizes.set(dimension, size)
    }
  }
  const scalar = variables.find(({ name, dimensions }) => dimensions.length === 0 && sizes.has(name))
  if (scalar !== undefined) throw new CannotDecodeError(scalar.name, 'it is a scalar with the name of a dimension')
  return sizes
}

function explainConflict(dimension: string | null, size: bigint, earlierSize: bigint): string {
  return dimension === null
    ? `its unnamed dimension has ${size} elements and another one ${earlierSize}, ` +
        `and xarray treats both as one dimension; ${howToName}`
    : `dimension ${JSON.stringify(dimension)} has ${size} elements here and ${earlierSize} elsewhere`
}
