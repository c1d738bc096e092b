// The JSON views of a dataset, in the contract's types. The order of members is part of what xpublish answers.
import type { DatasetDict, DatasetInfo, DatasetKeys } from '@floe/contract'
import { type Encodable, Members } from '@floe/storage/json'
import type { DecodedDataset, DecodedVariable } from '../../xarray/dataset.ts'
import { omit } from '../../xarray/variable.ts'

/** `info`. Source of members and order: xpublish, `plugins/included/dataset_info.py`. */
export function toInfo({ dimensions, variables, attributes }: DecodedDataset): Encodable<DatasetInfo> {
  return {
    dimensions: nameSizes(dimensions),
    variables: new Members(mapByName(variables, toVariableInfo)),
    // xpublish stores its name of the dataset here. It hides that in `info`, but not in `dict`.
    global_attributes: omit(attributes, '_xpublish_id'),
  }
}

function toVariableInfo({
  type,
  dimensions,
  attributes,
}: DecodedVariable): Encodable<DatasetInfo['variables'][string]> {
  return { type: type.name, dimensions, attributes }
}

/** `keys`: the names of all variables, coordinates last. */
export function toKeys({ variables }: Pick<DecodedDataset, 'variables'>): Encodable<DatasetKeys> {
  return variables.map(({ name }) => name)
}

/** `dict`. Source of members and order: `xarray/core/dataset.py` `Dataset.to_dict(data=False)`. */
export function toDict({ dimensions, variables, attributes }: DecodedDataset): Encodable<DatasetDict> {
  const coordinates = variables.filter(({ isCoordinate }) => isCoordinate)
  const dataVariables = variables.filter(({ isCoordinate }) => !isCoordinate)
  return {
    coords: new Members(mapByName(coordinates, toVariableDict)),
    attrs: attributes,
    dims: nameSizes(dimensions),
    data_vars: new Members(mapByName(dataVariables, toVariableDict)),
  }
}

function toVariableDict({
  type,
  dimensions,
  shape,
  attributes,
}: DecodedVariable): Encodable<DatasetDict['coords'][string]> {
  return { dims: dimensions, attrs: attributes, dtype: type.text, shape }
}

function* mapByName<Value>(variables: readonly DecodedVariable[], convert: (variable: DecodedVariable) => Value) {
  for (const variable of variables) yield [variable.name, convert(variable)] as const
}

/** Sizes by name. Python's None becomes the name `null`, as in JSON of Python, so the object may have it twice. */
function nameSizes(dimensions: DecodedDataset['dimensions']): Members<bigint> {
  return new Members([...dimensions].map(([name, size]) => [name ?? 'null', size] as const))
}
