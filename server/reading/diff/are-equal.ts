import { isJsonArray, isJsonObject, JsonNumber, type JsonValue, spellNumber } from '@floe/storage/json'

/** Whether an answer would show two values alike. The order of the members of an object does not matter. */
export function areEqual(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true
  if (one instanceof JsonNumber || other instanceof JsonNumber)
    return one instanceof JsonNumber && other instanceof JsonNumber && areSameNumber(one, other)
  if (isJsonArray(one) && isJsonArray(other))
    return one.length === other.length && one.every((item, index) => areEqual(item, other[index] ?? null))
  if (!isJsonObject(one) || !isJsonObject(other) || one.size !== other.size) return false
  for (const [name, value] of one) {
    const counterpart = other.get(name)
    if (counterpart === undefined || !areEqual(value, counterpart)) return false
  }
  return true
}

function areSameNumber(one: JsonNumber, other: JsonNumber): boolean {
  return one.text === other.text || spellNumber(one) === spellNumber(other)
}
