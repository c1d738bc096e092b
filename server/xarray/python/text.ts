// Prints JSON values as Python prints them after `json.loads`.
import { isJsonArray, JsonNumber, type JsonValue, formatPythonFloat } from '@floe/storage/json'

/** Writes `str(value)`: a text as it is, everything else as its `repr`. */
export function writePythonStr(value: JsonValue): string {
  return typeof value === 'string' ? value : writePythonRepr(value)
}

/** Writes `repr(value)`: `True`, `None`, `[1, 2.0, 'x']`, `{'k': 1}`, `inf`. */
export function writePythonRepr(value: JsonValue): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quote(value)
  if (value instanceof JsonNumber) return writeNumber(value)
  if (isJsonArray(value)) return `[${value.map(writePythonRepr).join(', ')}]`
  return `{${[...value].map(([name, member]) => `${quote(name)}: ${writePythonRepr(member)}`).join(', ')}}`
}

function writeNumber(value: JsonNumber): string {
  if (!value.isInteger) return formatPythonFloat(value.value)
  return value.text === '-0' ? '0' : value.text
}

// Single quotes, unless that would need an escape and double quotes would not. What Python calls not printable is
// escaped: the Unicode categories of controls and separators, the space excepted. Source: CPython, `unicode_repr`.
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (character) => escape(character, mark))
  return `${mark}${escaped}${mark}`
}

const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escape(character: string, mark: string): string {
  if (character === "'" || character === '"') return character === mark ? `\\${character}` : character
  const code = character.codePointAt(0) ?? 0
  const hexadecimal = (letter: string, digits: number) => `\\${letter}${code.toString(16).padStart(digits, '0')}`
  return (
    namedEscapes.get(character) ??
    (code < 0x100 ? hexadecimal('x', 2) : code < 0x10000 ? hexadecimal('u', 4) : hexadecimal('U', 8))
  )
}
