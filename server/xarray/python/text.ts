// Prints JSON values as Python prints the results of `json.loads`.
import { formatPythonFloat, isJsonArray, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'

/** `str(value)`: a text prints as it is, everything else as its `repr`. */
export function writePythonStr(value: JsonValue): string {
  return typeof value === 'string' ? value : writePythonRepr(value)
}

/** `repr(value)`: `True`, `None`, `[1, 2.0, 'x']`, `{'k': 1}`, `inf`. */
export function writePythonRepr(value: JsonValue): string {
  const printer = new Printer(Infinity)
  printer.print(value)
  return printer.finish()
}

/**
 * `str(value)` up to a length in characters. Stops printing a list or object there, because a page shows a few
 * characters of values that may have millions.
 */
export function clipPythonStr(value: JsonValue, maxLength: number): { readonly text: string; readonly isCut: boolean } {
  if (typeof value === 'string') return cut(value, maxLength)
  const printer = new Printer(maxLength)
  printer.print(value)
  return cut(printer.finish(), maxLength)
}

function cut(text: string, maxLength: number) {
  return text.length <= maxLength
    ? { text, isCut: false }
    : { text: text.slice(0, maxLength).toWellFormed(), isCut: true }
}

/** Number of pieces to join at a time, so that millions of pieces do not fill the memory. */
const maxPieces = 4096

/** Prints values until a length is exceeded. */
class Printer {
  readonly #maxLength: number
  readonly #texts: string[] = []
  #pieces: string[] = []
  #length = 0

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  print(value: JsonValue): void {
    if (value === null) this.#put('None')
    else if (value === true) this.#put('True')
    else if (value === false) this.#put('False')
    else if (typeof value === 'string') this.#put(quote(this.#shorten(value)))
    else if (value instanceof JsonNumber) this.#put(printNumber(value))
    else if (isJsonArray(value)) this.#printList(value)
    else this.#printDict(value)
  }

  finish(): string {
    this.#join()
    return this.#texts.join('')
  }

  #printList(items: readonly JsonValue[]): void {
    let separator = '['
    for (const item of items) {
      if (this.#isFull()) return
      this.#put(separator)
      this.print(item)
      separator = ', '
    }
    this.#put(separator === '[' ? '[]' : ']')
  }

  #printDict(members: JsonObject): void {
    let separator = '{'
    for (const [name, member] of members) {
      if (this.#isFull()) return
      this.#put(`${separator}${quote(this.#shorten(name))}: `)
      this.print(member)
      separator = ', '
    }
    this.#put(separator === '{' ? '{}' : '}')
  }

  /** Cuts a text to the length that can be shown; quotes and escapes only make it longer. */
  #shorten(text: string): string {
    return text.length > this.#maxLength ? text.slice(0, this.#maxLength) : text
  }

  #isFull(): boolean {
    return this.#length > this.#maxLength
  }

  #put(piece: string): void {
    this.#length += piece.length
    this.#pieces.push(piece)
    if (this.#pieces.length === maxPieces) this.#join()
  }

  #join(): void {
    this.#texts.push(this.#pieces.join(''))
    this.#pieces = []
  }
}

function printNumber(value: JsonNumber): string {
  if (!value.isInteger) return formatPythonFloat(value.value)
  return value.text === '-0' ? '0' : value.text
}

/**
 * `repr` of a text. In single quotes, unless they would need an escape and double quotes would not. Escapes what Python
 * calls not printable: the Unicode categories of controls and separators, except the space. Source: CPython,
 * `unicode_repr`.
 */
function quote(text: string): string {
  const quotationMark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\'"]|(?! )[\p{C}\p{Z}]/gu, (character) => escape(character, quotationMark))
  return `${quotationMark}${escaped}${quotationMark}`
}

const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escape(character: string, quotationMark: string): string {
  if (character === "'" || character === '"') return character === quotationMark ? `\\${character}` : character
  const code = character.codePointAt(0) ?? 0
  const hexadecimal = (letter: string, digits: number) => `\\${letter}${code.toString(16).padStart(digits, '0')}`
  return (
    namedEscapes.get(character) ??
    (code < 0x100 ? hexadecimal('x', 2) : code < 0x10000 ? hexadecimal('u', 4) : hexadecimal('U', 8))
  )
}
