// Opens a group like the Python libraries: zarr-python checks everything in it, then xarray opens its arrays.
import { isJsonArray, isJsonObject, type JsonObject } from '@floe/storage/json'
import type { ArrayMetadata, GroupMetadata } from '@floe/storage/zarr'
import { object, type NumpyType } from './data-types.ts'
import { howToName } from './dimensions.ts'
import { decodeFillValue } from './fill-value.ts'
import { CannotDecodeError, type Variable } from './variable.ts'
import { recognizeArray, recognizeGroup, explainUnreadable } from './zarr-python/recognize.ts'

/** A node directly in the group. A dataset has no groups, but if zarr-python refuses one, nothing can be opened. */
export type Member =
  { readonly name: string; readonly array: ArrayMetadata } | { readonly name: string; readonly group: GroupMetadata }

/** How zarr-python and xarray see an array. */
type ArrayTypes = {
  /** The type that zarr-python reads. */
  readonly storedType: NumpyType
  /** The type of the variable that xarray makes of the array. */
  readonly type: NumpyType
  /** See {@link Variable.storedItemBytes}. */
  readonly storedItemBytes: number | null
  /** See {@link Variable.unreadable}. */
  readonly unreadable: string | undefined
}

type RecognizedArray = { readonly name: string; readonly array: ArrayMetadata; readonly types: ArrayTypes }

/** Opens the arrays directly in a group as variables that are not decoded yet, in the order of `members`. */
export function openGroup(group: GroupMetadata, members: readonly Member[]): readonly Variable[] {
  recognizeGroup(null, group)
  const arrays: RecognizedArray[] = []
  // Arrays that differ only in their attributes share a document.
  const typesByDocument = new Map<JsonObject, ArrayTypes | undefined>()
  for (const member of members) {
    if ('group' in member) {
      recognizeGroup(member.name, member.group)
    } else {
      const { name, array } = member
      if (!typesByDocument.has(array.document)) typesByDocument.set(array.document, recognizeTypes(name, array))
      const types = typesByDocument.get(array.document)
      if (types !== undefined) arrays.push({ name, array, types })
    }
  }
  return arrays.map(openVariable)
}

/** Undefined if zarr-python leaves the array out; see {@link recognizeArray}. */
function recognizeTypes(name: string, array: ArrayMetadata): ArrayTypes | undefined {
  const storedType = recognizeArray(name, array)
  if (storedType === undefined) return undefined
  // Only numpy's strings of any length keep their type. Source: `xarray/backends/zarr.py` `ZarrArrayWrapper.__init__`.
  const type = storedType.kind !== 'T' && isStoredAsText(array) ? object : storedType
  const storedItemBytes = type.kind === 'T' || type.kind === 'O' ? null : type.itemBytes
  return { storedType, type, storedItemBytes, unreadable: explainUnreadable(array) }
}

/** Whether the codec of strings writes the chunks or inner chunks. Source: `zarr/core/array.py` `serializer`. */
function isStoredAsText({ codecs }: ArrayMetadata): boolean {
  const [first] = codecs
  if (codecs.length !== 1 || first?.name !== 'sharding_indexed') return codecs.some(({ name }) => name === 'vlen-utf8')
  const inner = first.configuration.get('codecs')
  return isJsonArray(inner) && inner.some((codec) => isJsonObject(codec) && codec.get('name') === 'vlen-utf8')
}

/** Opens an array. Source: `xarray/backends/zarr.py` `ZarrStore.open_store_variable`, `_get_zarr_dims_and_attrs`. */
function openVariable({ name, array, types }: RecognizedArray): Variable {
  const { shape, attributes } = array
  const dimensions = array.dimensionNames ?? []
  if (dimensions.length !== shape.length) {
    throw new CannotDecodeError(name, `it does not name its dimensions; ${howToName}`)
  }
  const { storedType, type, storedItemBytes, unreadable } = types
  const stored = { name, type: storedType, dimensions, shape, attributes, encoding: new Map(), storedItemBytes }
  const variable = { ...decodeFillValue(stored), type }
  return unreadable === undefined ? variable : { ...variable, unreadable }
}
