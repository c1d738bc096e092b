// The variables that a group names in an attribute, because all of them share one array. Source: anemoi-datasets, whose
// array `data` has the dimension of variables that `variables` names.
import { maxIndexedText } from '@floe/contract/constants'
import { isJsonArray, type JsonObject } from '@floe/storage/json'
import { cutText } from './cut-text.ts'

/** Number of names that are indexed: the first ones. */
const maxNames = 1_000

/** Lists the names. */
export function listStatedVariables(attributes: JsonObject): readonly string[] {
  const stated = attributes.get('variables')
  if (!isJsonArray(stated)) return []
  return stated
    .slice(0, maxNames)
    .filter((name) => typeof name === 'string')
    .map((name) => cutText(name, maxIndexedText))
}
