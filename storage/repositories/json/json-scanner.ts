// Reads the tokens of JSON from a text. Every loop reads each character once.
import { JsonSyntaxError, type JsonText } from './json-text.ts'

/**
 * Maximum number of digits of an integer that Python converts. Source: CPython, `sys.int_info.default_max_str_digits`.
 */
export const maxIntegerDigits = 4300

/** A string in the text. `start` and `end` are the positions of its first character and of its closing quote. */
export type StringToken = {
  readonly start: number
  readonly end: number
  readonly hasEscapes: boolean
  /** Whether its value may need two bytes per character. */
  readonly isWide: boolean
}

const quote = 0x22
const backslash = 0x5c
const simpleEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

/** Reads tokens from a text, from a position on. The methods throw {@link JsonSyntaxError}. */
export class JsonScanner {
  readonly #text: string
  readonly #isWide: boolean
  #position: number

  constructor({ text, isWide }: JsonText, start = 0) {
    this.#position = start
    this.#text = text
    this.#isWide = isWide
  }

  get position(): number {
    return this.#position
  }

  /** The text from `start` to the current position. */
  slice(start: number): string {
    return this.#text.slice(start, this.#position)
  }

  peek(): number {
    return this.#text.charCodeAt(this.#position)
  }

  skip(): void {
    this.#position += 1
  }

  accept(code: number): boolean {
    if (this.#text.charCodeAt(this.#position) !== code) return false
    this.#position += 1
    return true
  }

  skipSpace(): void {
    while (true) {
      const code = this.#text.charCodeAt(this.#position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#position += 1
    }
  }

  expectEnd(): void {
    if (this.#position < this.#text.length) throw this.error('text after the end of the value')
  }

  readWord(word: string): void {
    if (!this.#text.startsWith(word, this.#position)) throw this.error('expected a value')
    this.#position += word.length
  }

  /** Finds the end of a string and checks its escapes, without creating the value. */
  scanString(): StringToken {
    const text = this.#text
    const start = this.#position + 1
    let hasEscapes = false
    let isWide = this.#isWide
    for (let position = start; ; position++) {
      const code = text.charCodeAt(position)
      if (code === quote) {
        this.#position = position + 1
        return { start, end: position, hasEscapes, isWide }
      }
      if (code === backslash) {
        hasEscapes = true
        isWide ||= text[position + 1] === 'u'
        position = this.#skipEscape(position + 1)
      } else if (!(code >= 0x20)) {
        this.#position = position
        throw this.error(position < text.length ? 'control character in a string' : 'unfinished string')
      }
    }
  }

  #skipEscape(position: number): number {
    const code = this.#text.charCodeAt(position)
    if (simpleEscapes.has(code)) return position
    this.#position = position
    if (code !== 0x75) throw this.error('unknown escape')
    if (!/^[0-9a-fA-F]{4}$/.test(this.#text.slice(position + 1, position + 5)))
      throw this.error('expected four hexadecimal digits')
    return position + 4
  }

  readString({ start, end, hasEscapes }: StringToken): string {
    if (!hasEscapes) return this.#text.slice(start, end)
    // Convert the whole string at once. Joined piece by piece, each escape would become a separate object.
    const value: unknown = JSON.parse(this.#text.slice(start - 1, end + 1))
    return String(value)
  }

  readNumber(): string {
    const start = this.#position
    this.accept(0x2d)
    const digits = this.#text.charCodeAt(this.#position) === 0x30 ? this.#skipZero() : this.#skipDigits()
    if (digits === 0) throw this.#errorAt(start, 'expected a value')
    const isFraction = this.#skipFraction()
    const isPower = this.#skipExponent()
    if (digits > maxIntegerDigits && !isFraction && !isPower)
      throw this.#errorAt(start, `an integer of more than ${maxIntegerDigits} digits, which Python does not read`)
    return this.#text.slice(start, this.#position)
  }

  #skipZero(): number {
    this.#position += 1
    return 1
  }

  #skipDigits(): number {
    const start = this.#position
    while (isDigit(this.#text.charCodeAt(this.#position))) this.#position += 1
    return this.#position - start
  }

  #skipFraction(): boolean {
    return this.#text[this.#position] === '.' && this.#skipPart(this.#position + 1)
  }

  #skipExponent(): boolean {
    const letter = this.#text[this.#position]
    if (letter !== 'e' && letter !== 'E') return false
    const sign = this.#text[this.#position + 1]
    return this.#skipPart(this.#position + (sign === '+' || sign === '-' ? 2 : 1))
  }

  /** Skips the digits from `start` on. Without any, returns false and does not move: the number has already ended. */
  #skipPart(start: number): boolean {
    if (!isDigit(this.#text.charCodeAt(start))) return false
    this.#position = start
    this.#skipDigits()
    return true
  }

  error(rule: string): JsonSyntaxError {
    return this.#errorAt(this.#position, rule)
  }

  #errorAt(position: number, rule: string): JsonSyntaxError {
    return new JsonSyntaxError(position < this.#text.length ? rule : 'unexpected end', position)
  }
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
