// The `info` answer: dimensions and variables with their types and attributes.
// Source of members and order: xpublish, `plugins/included/dataset_info.py`.
import { writeJson, writeMembers, writeString } from '@floe/storage/zarr'
import type { DecodedDataset, DecodedVariable } from '../xarray/dataset.ts'
import { writeDimensionNames, writeDimensionSizes } from './dimension-text.ts'

/** JSON text. */
export function renderInfo({ dimensions, variables, attributes }: DecodedDataset): string {
  const members = variables.map((variable) => [variable.name, variable] as const)
  // xpublish keeps its own name of the dataset among the attributes and hides it here, but not in `dict`.
  const visible = [...attributes].filter(([name]) => name !== '_xpublish_id')
  return (
    `{"dimensions":${writeDimensionSizes(dimensions)},"variables":${writeMembers(members, writeVariable)},` +
    `"global_attributes":${writeMembers(visible, writeJson)}}`
  )
}

function writeVariable({ type, dimensions, attributes }: DecodedVariable): string {
  return (
    `{"type":${writeString(type.name)},"dimensions":${writeDimensionNames(dimensions)},` +
    `"attributes":${writeJson(attributes)}}`
  )
}
