import { maxIndexedText } from '@floe/contract/constants'
import { isJsonArray, isJsonObject, type JsonValue } from '@floe/storage/json'
import { cutText } from './cut-text.ts'

/** Maximum number of texts of an attribute that are indexed, and of values that are looked at for them. */
const maxListed = 100
const maxWalked = 1_000

/** Lists the texts of an attribute: a text, or those in a list or an object, the outermost first. */
export function listTexts(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [cutText(value, maxIndexedText)]
  const texts: string[] = []
  const walked: JsonValue[] = [value]
  for (const one of walked) {
    if (texts.length === maxListed) break
    if (typeof one === 'string') texts.push(cutText(one, maxIndexedText))
    const inside = isJsonArray(one) ? one : isJsonObject(one) ? one.values() : []
    for (const inner of inside) {
      if (walked.length === maxWalked) break
      walked.push(inner)
    }
  }
  return texts
}
