// Writes JSON as Python prints it: `json.dumps(value, separators=(',', ':'))` after `json.loads`. Callers that have an ordered
// structure of their own build the text with `writeMembers` and `writeItems`. That avoids JavaScript objects, which would
// change the order of members and the spelling of numbers.
import { isJsonArray, JsonNumber, type JsonValue } from './json-value.ts'
import { formatPythonFloat } from './format-python-float.ts'

/**
 * Writes a parsed value. A float too large for a double (`1E400`) becomes `null`, because Python would print the bare
 * word `Infinity`, which is not JSON.
 */
export function writeJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return writeString(value)
  if (value instanceof JsonNumber) return writeNumber(value)
  if (isJsonArray(value)) return writeItems(value, writeJson)
  return writeMembers(value, writeJson)
}

/** Writes an array; `write` prints each item. */
export function writeItems<Item>(items: Iterable<Item>, write: (item: Item) => string): string {
  const texts: string[] = []
  for (const item of items) texts.push(write(item))
  return `[${texts.join(',')}]`
}

/** Writes an object; `write` prints each value. Names are neither sorted nor made unique. */
export function writeMembers<Value>(
  members: Iterable<readonly [string, Value]>,
  write: (value: Value) => string,
): string {
  const texts: string[] = []
  for (const [name, value] of members) texts.push(`${writeString(name)}:${write(value)}`)
  return `{${texts.join(',')}}`
}

/**
 * Writes a string in ASCII. DEL and all characters outside ASCII become `\uXXXX`, those beyond U+FFFF as a surrogate
 * pair.
 */
export function writeString(text: string): string {
  // JSON.stringify already escapes lone surrogates. It leaves all other characters from DEL upwards unescaped.
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function writeNumber(number: JsonNumber): string {
  if (number.isInteger) return number.text === '-0' ? '0' : number.text
  const value = number.value
  return Number.isFinite(value) ? formatPythonFloat(value) : 'null'
}
