// A group of Zarr arrays as xarray opens it, from their metadata alone.
// Source of the order of steps: `xarray/backends/zarr.py` `open_store_variable`, `xarray/conventions.py`
// `decode_cf_variables` and `decode_cf_variable`, `xarray/backends/store.py` `open_dataset`.
import type { ArrayMetadata, GroupMetadata, JsonObject } from '@floe/storage/zarr'
import { decodeBoolean } from './boolean.ts'
import { inheritTimeBounds } from './bounds.ts'
import { decodeText, findCharacterDimensions, stackCharacters } from './characters.ts'
import { isDimensionCoordinate, takeListedCoordinates, takeListedGroupCoordinates } from './coordinates.ts'
import type { DecodedDataset, DecodedVariable } from './dataset.ts'
import { collectDimensions } from './dimensions.ts'
import { decodeFillValue } from './fill-value.ts'
import { decodeMask } from './masking.ts'
import { decodePacking } from './packing.ts'
import { parseDataType } from './parse-data-type.ts'
import { decodeDatetime, decodeTimedelta } from './times.ts'
import { CannotDecodeError, type Variable } from './variable.ts'

/** An array directly in the group. */
export type Member = { readonly name: string; readonly array: ArrayMetadata }

/**
 * `members` in the order of their names' UTF-8 bytes, which is the order of the variables.
 * @throws {@link CannotDecodeError} where the Python stack cannot open the group.
 */
export function decodeGroup(group: GroupMetadata, members: readonly Member[]): DecodedDataset {
  const stored = inheritTimeBounds(members.map(openArray))
  const characterDimensions = findCharacterDimensions(stored)
  const listed = takeListedGroupCoordinates(visibleGroupAttributes(group.attributes))
  const coordinateNames = new Set(listed.names)
  const variables = stored.map((variable) => {
    const decoded = decodeVariable(variable, characterDimensions)
    const { attributes, names } = takeListedCoordinates(decoded)
    for (const name of names) coordinateNames.add(name)
    return { ...decoded, attributes }
  })
  const ordered = orderVariables(variables, coordinateNames)
  return { dimensions: collectDimensions(ordered), variables: ordered, attributes: listed.attributes }
}

function openArray({ name, array }: Member): Variable {
  const type = parseDataType(array.document.get('data_type'))
  if (type === undefined) throw new CannotDecodeError(name, `zarr-python has no data type ${array.dataType.name}`)
  const dimensions = array.dimensionNames ?? []
  if (dimensions.length !== array.shape.length) {
    throw new CannotDecodeError(name, 'it does not name each of its dimensions')
  }
  const { shape, attributes } = array
  return decodeFillValue({ name, type, dimensions, shape, attributes, encoding: new Map() })
}

function decodeVariable(variable: Variable, characterDimensions: ReadonlySet<string | null>): Variable {
  if (variable.type.kind === 'M' || variable.type.kind === 'm') return variable
  const text = decodeText(stackCharacters(variable, characterDimensions))
  return decodeBoolean(decodeDatetime(decodeTimedelta(decodePacking(decodeMask(text)))))
}

/** What NetCDF writes for itself does not show. Source: `xarray/backends/zarr.py` `ZarrStore.get_attrs`. */
function visibleGroupAttributes(attributes: JsonObject): JsonObject {
  return new Map([...attributes].filter(([name]) => !name.toLowerCase().startsWith('_nc')))
}

/**
 * Data variables, then coordinates that are one only for being called like a dimension, then all other coordinates;
 * each part in member order.
 */
function orderVariables(variables: readonly Variable[], listed: ReadonlySet<string>): readonly DecodedVariable[] {
  const dimensionNames = new Set(variables.flatMap(({ dimensions }) => dimensions))
  const places = variables.map((variable) => {
    const { name, type, dimensions, shape, attributes } = variable
    const isIndexed = isDimensionCoordinate(variable)
    const place = isIndexed || listed.has(name) ? 2 : dimensionNames.has(name) ? 1 : 0
    return { place, variable: { name, type, dimensions, shape, attributes, isCoordinate: place > 0, isIndexed } }
  })
  return [0, 1, 2].flatMap((place) => places.filter((entry) => entry.place === place).map((entry) => entry.variable))
}
