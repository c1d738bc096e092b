// Writes the JSON views of a dataset. Numbers keep their spelling from the stored documents; `JSON.stringify` would change it.
import type { JsonObject, JsonWriter } from '@floe/storage/json'
import type { DecodedDataset, DecodedVariable } from '../xarray/dataset.ts'

/**
 * Writes `info`: dimensions and variables with their types and attributes. Source of members and order: xpublish,
 * `plugins/included/dataset_info.py`.
 */
export function writeInfo(json: JsonWriter, { dimensions, variables, attributes }: DecodedDataset): void {
  json.raw('{"dimensions":')
  writeDimensionSizes(json, dimensions)
  json.raw(',"variables":').members(byName(variables), writeInfoVariable)
  json.raw(',"global_attributes":').members(hideXpublishId(attributes), (json, value) => json.value(value))
  json.raw('}')
}

/** xpublish stores its name of the dataset in the attributes. It hides that in `info`, but not in `dict`. */
function* hideXpublishId(attributes: JsonObject) {
  for (const attribute of attributes) if (attribute[0] !== '_xpublish_id') yield attribute
}

function writeInfoVariable(json: JsonWriter, { type, dimensions, attributes }: DecodedVariable): void {
  json.raw('{"type":').string(type.name).raw(',"dimensions":').items(dimensions, writeDimensionName)
  json.raw(',"attributes":').value(attributes).raw('}')
}

/** Writes `keys`: the names of all variables, coordinates last. */
export function writeKeys(json: JsonWriter, { variables }: Pick<DecodedDataset, 'variables'>): void {
  json.items(variables, (json, { name }) => json.string(name))
}

/** Writes `dict`. Source of members and order: `xarray/core/dataset.py` `Dataset.to_dict(data=False)`. */
export function writeDict(json: JsonWriter, { dimensions, variables, attributes }: DecodedDataset): void {
  const coordinates = variables.filter(({ isCoordinate }) => isCoordinate)
  const dataVariables = variables.filter(({ isCoordinate }) => !isCoordinate)
  json.raw('{"coords":').members(byName(coordinates), writeDictVariable)
  json.raw(',"attrs":').value(attributes).raw(',"dims":')
  writeDimensionSizes(json, dimensions)
  json.raw(',"data_vars":').members(byName(dataVariables), writeDictVariable).raw('}')
}

function* byName(variables: readonly DecodedVariable[]) {
  for (const variable of variables) yield [variable.name, variable] as const
}

function writeDictVariable(json: JsonWriter, { type, dimensions, shape, attributes }: DecodedVariable): void {
  json.raw('{"dims":').items(dimensions, writeDimensionName)
  json.raw(',"attrs":').value(attributes)
  json.raw(',"dtype":').string(type.text)
  json.raw(',"shape":').items(shape, writeSize).raw('}')
}

/** Writes the name of a dimension. Python's `json` prints a name that is None as `null`. */
function writeDimensionName(json: JsonWriter, name: string | null): void {
  json.value(name)
}

/** Writes sizes by name. As the key of an object, None becomes the text `null`. */
function writeDimensionSizes(json: JsonWriter, dimensions: DecodedDataset['dimensions']): void {
  json.members(nameSizes(dimensions), writeSize)
}

function* nameSizes(dimensions: DecodedDataset['dimensions']) {
  for (const [name, size] of dimensions) yield [name ?? 'null', size] as const
}

function writeSize(json: JsonWriter, size: bigint): void {
  json.raw(String(size))
}
