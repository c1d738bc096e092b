// Renders the JSON views of a dataset as text. Numbers keep their spelling from the stored documents; `JSON.stringify` would change it.
import { writeItems, writeJson, writeMembers, writeString } from '@floe/storage/json'
import type { DecodedDataset, DecodedVariable } from '../xarray/dataset.ts'

/**
 * Renders `info`: dimensions and variables with their types and attributes. Source of members and order: xpublish,
 * `plugins/included/dataset_info.py`.
 */
export function renderInfo({ dimensions, variables, attributes }: DecodedDataset): string {
  const members = variables.map((variable) => [variable.name, variable] as const)
  // xpublish stores its name of the dataset in the attributes. It hides that here, but not in `dict`.
  const visible = [...attributes].filter(([name]) => name !== '_xpublish_id')
  return (
    `{"dimensions":${writeDimensionSizes(dimensions)},"variables":${writeMembers(members, writeInfoVariable)},` +
    `"global_attributes":${writeMembers(visible, writeJson)}}`
  )
}

function writeInfoVariable({ type, dimensions, attributes }: DecodedVariable): string {
  return (
    `{"type":${writeString(type.name)},"dimensions":${writeDimensionNames(dimensions)},` +
    `"attributes":${writeJson(attributes)}}`
  )
}

/** Renders `keys`: the names of all variables, coordinates last. */
export function renderKeys({ variables }: DecodedDataset): string {
  return writeItems(variables, ({ name }) => writeString(name))
}

/** Renders `dict`. Source of members and order: `xarray/core/dataset.py` `Dataset.to_dict(data=False)`. */
export function renderDict({ dimensions, variables, attributes }: DecodedDataset): string {
  return (
    `{"coords":${writeDictVariables(variables.filter(({ isCoordinate }) => isCoordinate))},` +
    `"attrs":${writeJson(attributes)},"dims":${writeDimensionSizes(dimensions)},` +
    `"data_vars":${writeDictVariables(variables.filter(({ isCoordinate }) => !isCoordinate))}}`
  )
}

function writeDictVariables(variables: readonly DecodedVariable[]): string {
  return writeMembers(
    variables.map((variable) => [variable.name, variable]),
    writeDictVariable,
  )
}

function writeDictVariable({ type, dimensions, shape, attributes }: DecodedVariable): string {
  return (
    `{"dims":${writeDimensionNames(dimensions)},"attrs":${writeJson(attributes)},` +
    `"dtype":${writeString(type.text)},"shape":${writeItems(shape, String)}}`
  )
}

/** Writes the names of dimensions. Python's `json` prints a name that is None as `null`. */
function writeDimensionNames(dimensions: readonly (string | null)[]): string {
  return writeItems(dimensions, (name) => (name === null ? 'null' : writeString(name)))
}

/** Writes sizes by name. As the key of an object, None becomes the text `null`. */
function writeDimensionSizes(dimensions: DecodedDataset['dimensions']): string {
  return writeMembers(
    [...dimensions].map(([name, size]) => [name ?? 'null', size]),
    String,
  )
}
