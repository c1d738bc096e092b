import { writeItems, writeString } from '@floe/storage/zarr'
import type { DecodedDataset } from '../xarray/dataset.ts'

/** The `keys` answer: names of all variables, coordinates last. JSON text. */
export function renderKeys({ variables }: DecodedDataset): string {
  return writeItems(variables, ({ name }) => writeString(name))
}
