// Decodes a group of Zarr arrays as xarray opens it, from the metadata alone.
// Source of the order of steps: `xarray/backends/zarr.py` `open_store_variable`, `xarray/conventions.py`
// `decode_cf_variables` and `decode_cf_variable`, `xarray/backends/store.py` `open_dataset`.
import type { Cancellation, JsonObject } from '@floe/storage/json'
import type { GroupMetadata } from '@floe/storage/zarr'
import { inheritTimeBounds } from './cf/bounds.ts'
import { decodeText, findCharacterDimensions, stackCharacters } from './cf/characters.ts'
import { bool } from './data-types.ts'
import type { DecodedDataset, DecodedVariable } from './dataset.ts'
import { collectDimensions, padDimensionNames } from './dimensions.ts'
import { findIndexedType } from './indexed-type.ts'
import { decodeMask } from './cf/masking.ts'
import { type Member, openGroup } from './open-group.ts'
import { decodePacking } from './cf/packing.ts'
import { decodeDatetime, decodeTimedelta } from './cf/times.ts'
import { splitAtSpace } from './python/space.ts'
import { CannotDecodeError, consume, omit, type Variable } from './variable.ts'

/**
 * Decodes a group. `members` are sorted by the UTF-8 bytes of their names; the variables keep that order.
 *
 * @throws {@link CannotDecodeError} when the Python libraries cannot open the group; what the cancellation throws
 */
export function decodeGroup(
  group: GroupMetadata,
  members: readonly Member[],
  cancellation?: Cancellation,
): DecodedDataset {
  const { variables, attributes } = decodeMembers(group, members, cancellation)
  return { dimensions: collectDimensions(variables), variables, attributes }
}

/**
 * Decodes the variables of a group whose arrays may have unnamed dimensions; the name of such a dimension is null. A
 * variable with unnamed dimensions is a coordinate if `coordinates` lists it, or if a dimension of another variable has
 * its name.
 *
 * @throws as {@link decodeGroup}
 */
export function decodeVariables(
  group: GroupMetadata,
  members: readonly Member[],
  cancellation?: Cancellation,
): Pick<DecodedDataset, 'variables'> {
  const named = members.map((member) =>
    'array' in member ? { name: member.name, array: padDimensionNames(member.array) } : member,
  )
  const { variables } = decodeMembers(group, named, cancellation)
  collectDimensions(variables, { mayUnnamedDiffer: true })
  return { variables }
}

function decodeMembers(
  group: GroupMetadata,
  members: readonly Member[],
  cancellation: Cancellation | undefined,
): Pick<DecodedDataset, 'variables' | 'attributes'> {
  const stored = inheritTimeBounds(openGroup(group, members))
  const characterDimensions = findCharacterDimensions(stored)
  const attributes = hideNetcdfAttributes(group.attributes)
  // Names that no array has are ignored, because an attribute may list millions.
  const names = new Set(stored.map(({ name }) => name))
  const coordinateNames = new Set<string>()
  const collectCoordinates = (from: JsonObject, listed: string): JsonObject => {
    for (const name of splitAtSpace(listed)) {
      cancellation?.throwIfAborted()
      if (names.has(name)) coordinateNames.add(name)
    }
    return omit(from, 'coordinates')
  }
  const groupCoordinates = attributes.get('coordinates')
  const shownAttributes =
    typeof groupCoordinates === 'string' ? collectCoordinates(attributes, groupCoordinates) : attributes
  const variables = stored.map((variable) => {
    cancellation?.throwIfAborted()
    const decoded = decodeVariable(variable, characterDimensions)
    const coordinates = decoded.attributes.get('coordinates')
    if (coordinates === undefined) return decoded
    if (typeof coordinates !== 'string') {
      throw new CannotDecodeError(variable.name, 'its "coordinates" is not text')
    }
    return { ...decoded, attributes: collectCoordinates(decoded.attributes, coordinates) }
  })
  return { variables: orderVariables(variables, coordinateNames), attributes: shownAttributes }
}

function decodeVariable(variable: Variable, characterDimensions: ReadonlySet<string | null>): Variable {
  if (variable.type.kind === 'M' || variable.type.kind === 'm') return variable
  // xarray reads the first object to see whether it is a date. Source: `xarray/core/common.py`
  // `contains_cftime_datetimes`.
  if (variable.type.kind === 'O' && variable.unreadable !== undefined) {
    throw new CannotDecodeError(variable.name, variable.unreadable)
  }
  const text = decodeText(stackCharacters(variable, characterDimensions))
  return decodeBoolean(decodeDatetime(decodeTimedelta(decodePacking(decodeMask(text)))))
}

/**
 * Decodes booleans. Must run last, because it overrides the type that earlier coders set.
 * Source: `xarray/coding/variables.py` `BooleanCoder.decode`.
 */
function decodeBoolean(variable: Variable): Variable {
  if (variable.attributes.get('dtype') !== 'bool') return variable
  const decoded = { ...consume(variable, 'dtype'), type: bool }
  const isRecord = (variable.type.fields?.length ?? 0) > 1
  return isRecord ? { ...decoded, unreadable: 'records have no truth value' } : decoded
}

/** Removes attributes that NetCDF writes for its own use. Source: `xarray/backends/zarr.py` `ZarrStore.get_attrs`. */
function hideNetcdfAttributes(attributes: JsonObject): JsonObject {
  const shown = new Map(attributes)
  for (const name of attributes.keys()) if (name.slice(0, 3).toLowerCase() === '_nc') shown.delete(name)
  return shown
}

/**
 * Orders variables: data variables, then coordinates that only share the name of a dimension, then all other
 * coordinates; each part in the order of the members.
 */
function orderVariables(variables: readonly Variable[], listed: ReadonlySet<string>): readonly DecodedVariable[] {
  const dimensionNames = new Set(variables.flatMap(({ dimensions }) => dimensions))
  const parts = variables.map((variable) => {
    const { unreadable: _, ...readable } = variable
    const { name, dimensions } = variable
    const isIndexed = dimensions.length === 1 && dimensions[0] === name
    const type = isIndexed ? findIndexedType(variable) : variable.type
    const part = isIndexed || listed.has(name) ? 2 : dimensionNames.has(name) ? 1 : 0
    return { part, variable: { ...readable, type, isCoordinate: part > 0, isIndexed } }
  })
  return [0, 1, 2].flatMap((part) => parts.filter((entry) => entry.part === part).map((entry) => entry.variable))
}
