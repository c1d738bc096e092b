import { isJsonArray, isJsonObject, type JsonObject } from '@floe/storage/json'
import { CannotDecodeError, type Variable } from '../variable.ts'

/**
 * Copies `units` and `calendar` of time variables to their bounds, which by CF need not repeat them. It does not replace attributes that
 * the bounds already have. Source: `xarray/conventions.py` `_update_bounds_attributes`.
 */
export function inheritTimeBounds(variables: readonly Variable[]): readonly Variable[] {
  const attributesByName = new Map(variables.map(({ name, attributes }) => [name, attributes]))
  for (const { name } of variables) {
    // Looked up now, because a variable before this one may have given it `units`.
    const own: JsonObject = attributesByName.get(name) ?? new Map()
    const units = own.get('units')
    const bounds = own.get('bounds')
    if (typeof units !== 'string' || !units.includes('since')) continue
    if (isJsonArray(bounds) || isJsonObject(bounds)) throw new CannotDecodeError(name, 'its "bounds" is not a name')
    const inherited = typeof bounds === 'string' ? attributesByName.get(bounds) : undefined
    if (inherited === undefined || typeof bounds !== 'string') continue
    const extended = new Map(inherited)
    for (const attribute of ['units', 'calendar']) {
      const value = own.get(attribute)
      if (value !== undefined && !extended.has(attribute)) extended.set(attribute, value)
    }
    attributesByName.set(bounds, extended)
  }
  return variables.map((variable) => ({
    ...variable,
    attributes: attributesByName.get(variable.name) ?? variable.attributes,
  }))
}
