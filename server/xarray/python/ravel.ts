import { isJsonArray, type JsonValue } from '@floe/storage/json'

/** numpy's limit. */
const maxDimensions = 64

/**
 * Lists the elements of nested lists like `numpy.ravel`; a single value is one element. Undefined when numpy raises an
 * error: for rows of different lengths, and for too many dimensions.
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
