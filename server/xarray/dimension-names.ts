// The names of dimensions, which xarray needs and Zarr does not.
import type { ArrayMetadata } from '@floe/storage/zarr'

/** What to do about dimensions without names, for the end of a refusal. */
export const howToName = 'write them as "dimension_names" in its zarr.json, or pass dimension_names= when you create it'

/**
 * Gives the name null to the dimensions that come after the last name, or to all when there are no names. More names than dimensions stay
 * as they are.
 */
export function padDimensionNames(array: ArrayMetadata): ArrayMetadata {
  const names = array.dimensionNames ?? []
  if (names.length >= array.shape.length) return array
  return { ...array, dimensionNames: array.shape.map((_, index) => names[index] ?? null) }
}
