// The `dict` answer. Source of members and order: `xarray/core/dataset.py` `Dataset.to_dict(data=False)`.
import { writeItems, writeJson, writeMembers, writeString } from '@floe/storage/zarr'
import type { DecodedDataset, DecodedVariable } from '../xarray/dataset.ts'
import { writeDimensionNames, writeDimensionSizes } from './dimension-text.ts'

/** JSON text. */
export function renderDict({ dimensions, variables, attributes }: DecodedDataset): string {
  return (
    `{"coords":${writeVariables(variables.filter(({ isCoordinate }) => isCoordinate))},` +
    `"attrs":${writeJson(attributes)},"dims":${writeDimensionSizes(dimensions)},` +
    `"data_vars":${writeVariables(variables.filter(({ isCoordinate }) => !isCoordinate))}}`
  )
}

function writeVariables(variables: readonly DecodedVariable[]): string {
  return writeMembers(
    variables.map((variable) => [variable.name, variable]),
    writeVariable,
  )
}

function writeVariable({ type, dimensions, shape, attributes }: DecodedVariable): string {
  return (
    `{"dims":${writeDimensionNames(dimensions)},"attrs":${writeJson(attributes)},` +
    `"dtype":${writeString(type.text)},"shape":${writeItems(shape, String)}}`
  )
}
