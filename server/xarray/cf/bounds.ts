import { isJsonArray, isJsonObject } from '@floe/storage/json'
import { CannotDecodeError, type Variable } from '../variable.ts'

/**
 * Copies `units` and `calendar` of time variables to their bounds, which by CF need not repeat them. Attributes that the bounds already
 * have stay. Source: `xarray/conventions.py` `_update_bounds_attributes`.
 */
export function inheritTimeBounds(variables: readonly Variable[]): readonly Variable[] {
  const attributesByName = new Map(variables.map(({ name, attributes }) => [name, new Map(attributes)]))
  for (const [name, own] of attributesByName) {
    const units = own.get('units')
    const bounds = own.get('bounds')
    if (typeof units !== 'string' || !units.includes('since')) continue
    if (isJsonArray(bounds) || isJsonObject(bounds)) throw new CannotDecodeError(name, 'its "bounds" is not a name')
    const inherited = typeof bounds === 'string' ? attributesByName.get(bounds) : undefined
    if (inherited === undefined) continue
    const calendar = own.get('calendar')
    if (!inherited.has('units')) inherited.set('units', units)
    if (calendar !== undefined && !inherited.has('calendar')) inherited.set('calendar', calendar)
  }
  return variables.map((variable) => ({
    ...variable,
    attributes: attributesByName.get(variable.name) ?? variable.attributes,
  }))
}
