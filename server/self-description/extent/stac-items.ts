// Finds items of STAC in attributes. The products of Sentinel in Zarr hold one as `stac_discovery`, others have them
// under names of their own.
import { isJsonObject, type JsonObject } from '@floe/storage/json'

/** Number of attributes among which items are looked for: the first ones. */
const maxAttributes = 200

/** Attributes, and where they are: `''` for those of the group, else such as `stac_discovery.properties.`. */
export type StatedItem = { readonly attributes: JsonObject; readonly path: string; readonly isOfStac: boolean }

/** The attributes, and the items of STAC in them with their properties. */
export function listItems(attributes: JsonObject): readonly StatedItem[] {
  const inside = attributes
    .entries()
    .take(maxAttributes)
    .flatMap(([name, value]) =>
      isJsonObject(value) && (name === 'stac_discovery' || isItem(value)) ? listWithProperties(value, `${name}.`) : [],
    )
  const own = isItem(attributes) ? listWithProperties(attributes, '') : [{ attributes, path: '', isOfStac: false }]
  return [...own, ...inside]
}

function listWithProperties(item: JsonObject, path: string): readonly StatedItem[] {
  const properties = item.get('properties')
  const ofItem = { attributes: item, path, isOfStac: true }
  return isJsonObject(properties)
    ? [ofItem, { attributes: properties, path: `${path}properties.`, isOfStac: true }]
    : [ofItem]
}

function isItem(value: JsonObject): boolean {
  return value.get('type') === 'Feature' || value.has('stac_version')
}
