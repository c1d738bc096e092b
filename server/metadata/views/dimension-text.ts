import { writeItems, writeMembers, writeString } from '@floe/storage/zarr'
import type { DecodedDataset } from '../xarray/dataset.ts'

/** Names of dimensions; Python's `json` prints a name that is None as `null`. */
export function writeDimensionNames(dimensions: readonly (string | null)[]): string {
  return writeItems(dimensions, (name) => (name === null ? 'null' : writeString(name)))
}

/** Sizes by name; as the key of an object, None becomes the text `null`. */
export function writeDimensionSizes(dimensions: DecodedDataset['dimensions']): string {
  return writeMembers(
    [...dimensions].map(([name, size]) => [name ?? 'null', size]),
    String,
  )
}
