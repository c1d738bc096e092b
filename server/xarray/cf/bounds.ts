import { isJsonArray, isJsonObject, type JsonObject } from '@floe/storage/json'
import { CannotDecodeError, type Variable } from '../variable.ts'

/**
 * Copies `units` and `calendar` of time variables to their bounds, because CF does not require bounds to repeat them.
 * Attributes that the bounds already have stay. Source: `xarray/conventions.py` `_update_bounds_attributes`.
 */
export function inheritTimeBounds(variables: readonly Variable[]): readonly Variable[] {
  const attributesByName = new Map(variables.map(({ name, attributes }) => [name, attributes]))
  for (const { name } of variables) {
    // Read from the map, because the loop may have given `units` to this variable as bounds of an earlier one.
    const attributes: JsonObject = attributesByName.get(name) ?? new Map()
    const units = attributes.get('units')
    const bounds = attributes.get('bounds')
    if (typeof units !== 'string' || !units.includes('since')) continue
    if (isJsonArray(bounds) || isJsonObject(bounds)) throw new CannotDecodeError(name, 'its "bounds" is not a name')
    const inherited = typeof bounds === 'string' ? attributesByName.get(bounds) : undefined
    if (inherited === undefined || typeof bounds !== 'string') continue
    const extended = new Map(inherited)
    for (const attribute of ['units', 'calendar']) {
      const value = attributes.get(attribute)
      if (value !== undefined && !extended.has(attribute)) extended.set(attribute, value)
    }
    attributesByName.set(bounds, extended)
  }
  return variables.map((variable) => ({
    ...variable,
    attributes: attributesByName.get(variable.name) ?? variable.attributes,
  }))
}
