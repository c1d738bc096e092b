// Parses RFC 8259 JSON from bytes, in one pass and without JavaScript objects. Refuses a byte order mark and invalid UTF-8,
// which RFC 8259 lets a parser do. Accepts escapes of lone surrogates and repeated names, as Python's `json` does.
import { JsonNumber, type JsonObject, type JsonValue } from './json-value.ts'

/** The bytes are not JSON, or are nested too deep. */
export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError'
  /** Position of the fault, in UTF-16 code units from the start of the text; null when the bytes are not UTF-8. */
  readonly offset: number | null

  constructor(rule: string, offset: number | null) {
    super(offset === null ? `not JSON: ${rule}` : `not JSON at character ${offset}: ${rule}`)
    this.offset = offset
  }
}

/** `maxNesting` is how many levels deep arrays and objects may be nested. */
export type JsonLimits = { readonly maxNesting: number }

/** @throws {@link JsonSyntaxError} */
export function parseJson(bytes: Uint8Array, { maxNesting }: JsonLimits): JsonValue {
  return new JsonReader(decodeUtf8(bytes), maxNesting).readDocument()
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new JsonSyntaxError('the bytes are not UTF-8', null)
  }
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

class JsonReader {
  readonly #text: string
  #position = 0
  #remainingNesting: number

  constructor(text: string, maxNesting: number) {
    this.#text = text
    this.#remainingNesting = maxNesting
  }

  readDocument(): JsonValue {
    this.#skipSpace()
    const value = this.#readValue()
    this.#skipSpace()
    if (this.#position < this.#text.length) throw this.#error('text after the end of the value')
    return value
  }

  #readValue(): JsonValue {
    switch (this.#text.charCodeAt(this.#position)) {
      case quote:
        return this.#readString()
      case openBrace:
        return this.#readNested(() => this.#readObject())
      case openBracket:
        return this.#readNested(() => this.#readArray())
      case 0x74:
        return this.#readWord('true', true)
      case 0x66:
        return this.#readWord('false', false)
      case 0x6e:
        return this.#readWord('null', null)
      default:
        return this.#readNumber()
    }
  }

  #readNested<Value>(read: () => Value): Value {
    if (this.#remainingNesting === 0) throw this.#error('nested too deep')
    this.#remainingNesting -= 1
    this.#position += 1
    const value = read()
    this.#remainingNesting += 1
    return value
  }

  #readObject(): JsonObject {
    const members = new Map<string, JsonValue>()
    this.#skipSpace()
    if (this.#accept(closeBrace)) return members
    while (true) {
      if (this.#text.charCodeAt(this.#position) !== quote) throw this.#error('expected the name of a member')
      const name = this.#readString()
      this.#skipSpace()
      if (!this.#accept(colon)) throw this.#error('expected ":"')
      this.#skipSpace()
      members.set(name, this.#readValue())
      this.#skipSpace()
      if (this.#accept(closeBrace)) return members
      if (!this.#accept(comma)) throw this.#error('expected "," or "}"')
      this.#skipSpace()
    }
  }

  #readArray(): readonly JsonValue[] {
    const items: JsonValue[] = []
    this.#skipSpace()
    if (this.#accept(closeBracket)) return items
    while (true) {
      items.push(this.#readValue())
      this.#skipSpace()
      if (this.#accept(closeBracket)) return items
      if (!this.#accept(comma)) throw this.#error('expected "," or "]"')
      this.#skipSpace()
    }
  }

  #readString(): string {
    const text = this.#text
    let start = this.#position + 1
    let value = ''
    for (let position = start; ; position++) {
      const code = text.charCodeAt(position)
      if (code === quote) {
        this.#position = position + 1
        return value + text.slice(start, position)
      }
      if (code === backslash) {
        value += text.slice(start, position)
        this.#position = position + 1
        value += this.#readEscape()
        start = this.#position
        position = start - 1
      } else if (!(code >= 0x20)) {
        this.#position = position
        throw this.#error(position < text.length ? 'control character in a string' : 'unfinished string')
      }
    }
  }

  #readEscape(): string {
    const letter = this.#text.charAt(this.#position)
    if (letter === 'u') {
      const digits = this.#text.slice(this.#position + 1, this.#position + 5)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#error('expected four hexadecimal digits')
      this.#position += 5
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const character = escapes.get(letter)
    if (character === undefined) throw this.#error('unknown escape')
    this.#position += 1
    return character
  }

  #readNumber(): JsonNumber {
    numberPattern.lastIndex = this.#position
    if (!numberPattern.test(this.#text)) throw this.#error('expected a value')
    const text = this.#text.slice(this.#position, numberPattern.lastIndex)
    this.#position = numberPattern.lastIndex
    return new JsonNumber(text)
  }

  #readWord<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#position)) throw this.#error('expected a value')
    this.#position += word.length
    return value
  }

  #accept(code: number): boolean {
    if (this.#text.charCodeAt(this.#position) !== code) return false
    this.#position += 1
    return true
  }

  #skipSpace(): void {
    while (true) {
      const code = this.#text.charCodeAt(this.#position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#position += 1
    }
  }

  #error(rule: string): JsonSyntaxError {
    return new JsonSyntaxError(this.#position < this.#text.length ? rule : 'unexpected end', this.#position)
  }
}
