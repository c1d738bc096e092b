// Finds items of STAC in attributes. The products of Sentinel in Zarr hold one as `stac_discovery`, others have them
// under names of their own.
import { isJsonObject, type JsonObject } from '@floe/storage/json'

/** Number of attributes among which items are looked for: the first ones. */
const maxAttributes = 200

/** The attributes, and the items of STAC in them with their properties. */
export function listItems(attributes: JsonObject): readonly JsonObject[] {
  const inside = attributes
    .entries()
    .take(maxAttributes)
    .flatMap(([name, value]) => (isJsonObject(value) && (name === 'stac_discovery' || isItem(value)) ? [value] : []))
  const items = isItem(attributes) ? [attributes, ...inside] : [...inside]
  const withProperties = items.flatMap((item) => [item, item.get('properties')]).filter(isJsonObject)
  return isItem(attributes) ? withProperties : [attributes, ...withProperties]
}

function isItem(value: JsonObject): boolean {
  return value.get('type') === 'Feature' || value.has('stac_version')
}
