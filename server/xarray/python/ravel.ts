import { isJsonArray, type JsonValue } from '@floe/storage/json'

const maxDimensions = 64

/**
 * The elements of nested lists as `numpy.ravel` sees them, a single value being one element; undefined when the lists
 * do not form an array (rows of different lengths, or too many dimensions), where numpy raises.
 */
export function ravel(value: JsonValue): readonly JsonValue[] | undefined {
  let elements: readonly JsonValue[] = [value]
  for (let depth = 0; elements.some(isJsonArray); depth++) {
    const rows = elements.filter(isJsonArray)
    const isRegular = rows.length === elements.length && rows.every((row) => row.length === rows[0]?.length)
    if (!isRegular || depth === maxDimensions) return undefined
    elements = rows.flat(1)
  }
  return elements
}
