import { isJsonArray, JsonNumber, type JsonValue } from '@floe/storage/json'

/** Takes the value out of a list of one value. */
export function takeSingle(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(value) && value.length === 1 ? value[0] : value
}

/** Reads a number, which may be a text; NaN if it is none. */
export function readNumber(value: JsonValue | undefined): number {
  if (value instanceof JsonNumber) return Number(value.text)
  return typeof value === 'string' && value.length <= 30 && value.trim() !== '' ? Number(value) : NaN
}
