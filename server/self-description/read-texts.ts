// Reads attributes that are texts.
import { isJsonArray, type JsonObject } from '@floe/storage/json'

/**
 * What programs write where they know nothing, in lower case: `None` of Python, `nan` of numpy, `null` of JSON, and
 * words that say so. `NA` is not among them, because it is also a name.
 */
const standIns: ReadonlySet<string> = new Set([
  'none',
  'nan',
  'null',
  'n/a',
  'unknown',
  'undefined',
  'unspecified',
  'not available',
  'not applicable',
  'not specified',
])

/** Longest of these texts with spaces around it, in UTF-16 code units. */
const maxStandInLength = 64

/** Whether a text states something. */
function isStated(text: string): boolean {
  if (text.length > maxStandInLength) return text.trim() !== ''
  const folded = text.trim().toLowerCase()
  return folded !== '' && !standIns.has(folded)
}

/** Reads a text; null if none is stated. The texts of a list are joined. */
export function readText(attributes: JsonObject, name: string): string | null {
  return readTextList(attributes, name).join(', ') || null
}

/** Reads the stated texts of a list, or one text. */
export function readTextList(attributes: JsonObject, name: string): readonly string[] {
  const value = attributes.get(name)
  const values = isJsonArray(value) ? value : [value]
  return values.filter((item) => typeof item === 'string').filter(isStated)
}
