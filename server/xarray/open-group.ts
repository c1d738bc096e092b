// Opens a group like the Python libraries: first zarr-python checks everything in it, then xarray opens its arrays.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata, GroupMetadata } from '@floe/storage/zarr'
import type { NumpyType } from './dataset.ts'
import { decodeFillValue } from './fill-value.ts'
import { CannotDecodeError, type Variable } from './variable.ts'
import { recognizeArray, recognizeGroup, explainUnreadable } from './zarr-python/recognize.ts'

/** A node directly in the group. Groups are not part of a dataset, but a group that zarr-python refuses makes the whole open fail. */
export type Member =
  { readonly name: string; readonly array: ArrayMetadata } | { readonly name: string; readonly group: GroupMetadata }

/** What zarr-python makes of a document, whatever its attributes are. */
type Form = { readonly type: NumpyType; readonly unreadable: string | undefined }
type RecognizedArray = { readonly name: string; readonly array: ArrayMetadata; readonly form: Form }

/** Opens the arrays directly in a group as variables that are not decoded yet, in the order of `members`. */
export function openGroup(group: GroupMetadata, members: readonly Member[]): readonly Variable[] {
  recognizeGroup(null, group)
  const arrays: RecognizedArray[] = []
  const forms = new Map<JsonObject, Form | undefined>()
  for (const member of members) {
    if ('group' in member) {
      recognizeGroup(member.name, member.group)
    } else {
      const { name, array } = member
      if (!forms.has(array.document)) forms.set(array.document, recognizeForm(name, array))
      const form = forms.get(array.document)
      if (form !== undefined) arrays.push({ name, array, form })
    }
  }
  return arrays.map(openVariable)
}

function recognizeForm(name: string, array: ArrayMetadata): Form | undefined {
  const type = recognizeArray(name, array)
  return type && { type, unreadable: explainUnreadable(array) }
}

/** Opens an array. Source: `xarray/backends/zarr.py` `ZarrStore.open_store_variable`, `_get_zarr_dims_and_attrs`. */
function openVariable({ name, array, form: { type, unreadable } }: RecognizedArray): Variable {
  const { shape, attributes } = array
  const dimensions = array.dimensionNames ?? []
  if (dimensions.length !== shape.length) throw new CannotDecodeError(name, 'it does not name its dimensions')
  const variable = { name, type, dimensions, shape, attributes, encoding: new Map() }
  return decodeFillValue(unreadable === undefined ? variable : { ...variable, unreadable })
}
