import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from '@floe/storage/json'

/**
 * Whether two values are equal. The order of the members of an object does not matter. A boolean equals no number,
 * although Python says so of `True` and `1`.
 *
 * @param areNumbersEqual default: as in Python, where `2` equals `2.0`
 */
export function areEqual(left: JsonValue, right: JsonValue, areNumbersEqual = areSameNumber): boolean {
  if (left === right) return true
  if (left instanceof JsonNumber || right instanceof JsonNumber)
    return left instanceof JsonNumber && right instanceof JsonNumber && areNumbersEqual(left, right)
  if (isJsonArray(left) && isJsonArray(right))
    return (
      left.length === right.length && left.every((item, index) => areEqual(item, right[index] ?? null, areNumbersEqual))
    )
  if (!isJsonObject(left) || !isJsonObject(right) || left.size !== right.size) return false
  for (const [name, value] of left) {
    const counterpart = right.get(name)
    if (counterpart === undefined || !areEqual(value, counterpart, areNumbersEqual)) return false
  }
  return true
}

/** Compares integers exactly at any length. */
function areSameNumber(left: JsonNumber, right: JsonNumber): boolean {
  if (left.text === right.text) return true
  if (left.value !== right.value) return false
  const [exact, other] = [readInteger(left), readInteger(right)]
  return exact === undefined || other === undefined || exact === other
}

/** Undefined for a number that is not whole. */
function readInteger(number: JsonNumber): bigint | undefined {
  if (number.isInteger) return BigInt(number.text)
  return Number.isInteger(number.value) ? BigInt(number.value) : undefined
}
