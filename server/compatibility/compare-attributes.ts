import { descriptiveAttributes, harmlessGribKeys, meaningAttributes, meaningPrefixes } from '@floe/contract/constants'
import type { JsonObject, JsonValue } from '@floe/storage/json'
import { identifyUnits } from '../self-description/units.ts'
import { type Change, makeChange } from './change.ts'
import { type ChangedMember, listChangedMembers } from './changed-members.ts'
import type { VariableState } from './dataset-state.ts'
import { foldStandardName } from './fold-names.ts'

const meanings: ReadonlySet<string> = new Set(Object.values(meaningAttributes).flat())
const harmless: ReadonlySet<string> = new Set(harmlessGribKeys)
const descriptive: ReadonlySet<string> = new Set(descriptiveAttributes)

/** Compares the attributes of a variable. */
export function compareAttributes(
  variable: string,
  before: JsonObject,
  after: JsonObject,
  isGridMapping: boolean,
): readonly Change[] {
  return listChangedMembers(before, after).map((changed) => judge(variable, changed, isGridMapping))
}

/** Compares the attributes of a group. */
export function compareGroupAttributes(before: JsonObject, after: JsonObject): readonly Change[] {
  return listChangedMembers(before, after).map((changed) =>
    makeChange('group-attributes-changed', 'compatible', showValues(changed)),
  )
}

function judge(variable: string, changed: ChangedMember, isGridMapping: boolean): Change {
  const { name: attribute, before, after } = changed
  const details = { variable, ...showValues(changed) }
  const verdict = before === undefined ? 'compatible' : 'breaking'
  if (attribute === 'units')
    return makeChange('units-changed', areSame(before, after, identifyUnits) ? 'compatible' : verdict, details)
  if (attribute === 'GRIB_units')
    return makeChange('meaning-changed', areSame(before, after, identifyUnits) ? 'compatible' : verdict, details)
  if (attribute === 'standard_name')
    return makeChange(
      'standard-name-changed',
      areSame(before, after, foldStandardName) ? 'compatible' : verdict,
      details,
    )
  if (statesMeaning(attribute) || (isGridMapping && !descriptive.has(attribute)))
    return makeChange('meaning-changed', verdict, details)
  return makeChange('attribute-changed', 'compatible', details)
}

/** Whether an attribute says what values mean or which way they run. */
function statesMeaning(attribute: string): boolean {
  return (
    meanings.has(attribute) ||
    (meaningPrefixes.some((prefix) => attribute.startsWith(prefix)) && !harmless.has(attribute))
  )
}

function showValues({ name: attribute, before = null, after = null }: ChangedMember) {
  return { attribute, before, after }
}

/** Whether two texts mean the same. */
function areSame(before: JsonValue | undefined, after: JsonValue | undefined, fold: (text: string) => string): boolean {
  return typeof before === 'string' && typeof after === 'string' && fold(before) === fold(after)
}

/** Finds the variables that describe a map projection: those that others name, and those that say so themselves. */
export function findGridMappings(variables: readonly VariableState[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { name, attributes = new Map<string, JsonValue>() } of variables) {
    if (attributes.has('grid_mapping_name')) names.add(name)
    const mapping = attributes.get('grid_mapping')
    // Either one name, or each name with a colon before its coordinates: `crs: x y`. Source: CF 1.11, section 5.6.
    if (typeof mapping !== 'string') continue
    const words = mapping.split(/\s+/)
    const named = words.filter((word) => word.endsWith(':')).map((word) => word.slice(0, -1))
    for (const word of named.length > 0 ? named : words) names.add(word)
  }
  return names
}
