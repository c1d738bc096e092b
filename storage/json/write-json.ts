// JSON as Python prints it: `json.dumps(value, separators=(',', ':'))` after `json.loads`. Callers who own an ordered
// structure build the text from pieces (`writeMembers`, `writeItems`), so no member order or number passes through
// a JavaScript object.
import { isJsonArray, JsonNumber, type JsonValue } from './json-value.ts'
import { pythonFloat } from './python-float.ts'

/**
 * The text of a parsed value. Numbers beyond the doubles (`1E400`) are `null`: Python would answer the bare word
 * `Infinity`, which is not JSON.
 */
export function writeJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return writeString(value)
  if (value instanceof JsonNumber) return writeNumber(value)
  if (isJsonArray(value)) return writeItems(value, writeJson)
  return writeMembers(value, writeJson)
}

/** An array of items, each printed by `write`. */
export function writeItems<Item>(items: Iterable<Item>, write: (item: Item) => string): string {
  const texts: string[] = []
  for (const item of items) texts.push(write(item))
  return `[${texts.join(',')}]`
}

/** An object of named values, each printed by `write`; names are neither sorted nor made unique. */
export function writeMembers<Value>(
  members: Iterable<readonly [string, Value]>,
  write: (value: Value) => string,
): string {
  const texts: string[] = []
  for (const [name, value] of members) texts.push(`${writeString(name)}:${write(value)}`)
  return `{${texts.join(',')}}`
}

/** A string in ASCII; everything else, DEL included, is `\uXXXX`, beyond the basic plane as a surrogate pair. */
export function writeString(text: string): string {
  // JSON.stringify leaves lone surrogates escaped already, and everything from DEL upwards as it is.
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function writeNumber(number: JsonNumber): string {
  if (number.isInteger) return number.text === '-0' ? '0' : number.text
  const value = number.value
  return Number.isFinite(value) ? pythonFloat(value) : 'null'
}
