// Texts that Python's `int()` and `float()` accept. Every check takes linear time: no regular expression here can split
// the same digits in several ways, which would take quadratic time on texts that it refuses.
import { maxIntegerDigits } from '@floe/storage/json'
import { toAsciiDigits } from './digits.ts'

/** `int(text)`; undefined for a text that Python refuses. */
export function parsePythonInteger(text: string): bigint | undefined {
  const plain = dropUnderscores(toAsciiDigits(text.trim()))
  if (plain === undefined || !/^[+-]?[0-9]+$/.test(plain)) return undefined
  const digits = plain.replace(/^\+/, '')
  if (digits.length - (digits.startsWith('-') ? 1 : 0) > maxIntegerDigits) return undefined
  return BigInt(digits)
}

/** Whether `float(text)` accepts the text, which may have any length. */
export function isPythonFloat(text: string): boolean {
  const plain = dropUnderscores(toAsciiDigits(text.trim()))
  return plain !== undefined && floatForm.test(plain)
}

const floatForm = /^[+-]?(?:inf|infinity|nan|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)$/i

/** Removes underscores; undefined if one is not between two digits. */
function dropUnderscores(text: string): string | undefined {
  if (!text.includes('_')) return text
  return /(?<![0-9])_|_(?![0-9])/.test(text) ? undefined : text.replaceAll('_', '')
}
