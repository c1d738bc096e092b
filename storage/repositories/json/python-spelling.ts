// Numbers and characters as Python's `json` prints them.
import { JsonNumber } from './json-value.ts'

/**
 * Prints a number as Python's `json` does. A float too large for a double becomes `null`: Python prints `Infinity`,
 * which is not JSON.
 */
export function spellNumber(number: JsonNumber): string {
  if (number.isInteger) return number.text === '-0' ? '0' : number.text
  const value = number.value
  return Number.isFinite(value) ? formatPythonFloat(value) : 'null'
}

/**
 * Prints a double as Python's `repr` does: the fewest digits that read back as the same double, always with a point or
 * an exponent. Magnitudes below 1e-4 and from 1e16 on have an exponent. Source: CPython, `float_repr_style = 'short'`.
 */
export function formatPythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  // JavaScript and Python agree on the digits; they differ in when they use an exponent and how they pad it.
  const magnitude = Math.abs(value)
  if (magnitude >= 1e-4 && magnitude < 1e16) return Number.isInteger(value) ? `${value}.0` : String(value)
  const [digits, exponent = ''] = value.toExponential().split('e')
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`
}

/**
 * Converts a binary float to a JSON number. `3` becomes `3.0`, so that readers can distinguish it from an integer. NaN
 * and the infinities become null, as Icechunk's writer stores them.
 */
export function toJsonFloat(value: number): JsonNumber | null {
  return Number.isFinite(value) ? new JsonNumber(formatPythonFloat(value)) : null
}

const beyondAscii = /[\u007f-\uffff]/

/**
 * Escapes text inside JSON strings: DEL and all characters outside ASCII become `\uXXXX`, those beyond U+FFFF surrogate
 * pairs. The loop takes a tenth of the time of `replace` with a function.
 */
export function escapeBeyondAscii(text: string): string {
  const first = text.search(beyondAscii)
  if (first < 0) return text
  let escaped = ''
  let start = 0
  for (let position = first; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code < 0x7f) continue
    escaped += `${text.slice(start, position)}\\u${code.toString(16).padStart(4, '0')}`
    start = position + 1
  }
  return escaped + text.slice(start)
}
