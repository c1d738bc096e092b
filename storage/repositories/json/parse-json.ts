// Parses RFC 8259 JSON from bytes, in one pass, to maps instead of JavaScript objects. Refuses a byte order mark and
// invalid UTF-8, as RFC 8259 permits. Accepts escapes of lone surrogates and repeated names, as Python's `json` does.
// The bytes may be hostile, so every value counts against an allowance before it is created.
import { DocumentAllowance, weights } from './document-allowance.ts'
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from './json-value.ts'
import { JsonScanner } from './json-scanner.ts'
import { type JsonText, readJsonText } from './json-text.ts'

/**
 * @throws {@link JsonSyntaxError}
 * @throws {@link DocumentsTooLargeError} when the allowance is used up
 */
export function parseJson(bytes: Uint8Array, allowance: DocumentAllowance): JsonValue {
  return parseJsonText(readJsonText(bytes, allowance), allowance)
}

/**
 * Parses a text that a program wrote, such as a library's answer or a stored record.
 *
 * @throws TypeError when the JSON is not an object; JsonSyntaxError, DocumentsTooLargeError
 */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(Buffer.from(text), new DocumentAllowance())
  if (!isJsonObject(value)) throw new TypeError('the JSON is not an object')
  return value
}

/**
 * Reads an object whose values stay the texts that they are. Throws what {@link parseJson} throws, also for another
 * value.
 */
export function readMemberTexts(bytes: Uint8Array, allowance: DocumentAllowance): ReadonlyMap<string, string> {
  return new JsonReader(new JsonScanner(readJsonText(bytes, allowance)), allowance).readMemberTexts()
}

export function parseJsonText(text: JsonText, allowance: DocumentAllowance): JsonValue {
  return new JsonReader(new JsonScanner(text), allowance).readDocument()
}

/** A value and the position after it. */
type ParsedValue = { readonly value: JsonValue; readonly end: number }

/** Parses the value that starts at a position. `depth` is the number of arrays and objects around it. */
export function parseJsonAt(text: JsonText, start: number, depth: number, allowance: DocumentAllowance): ParsedValue {
  const scanner = new JsonScanner(text, start)
  const value = new JsonReader(scanner, allowance, depth).readValue()
  return { value, end: scanner.position }
}

const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const quote = 0x22

const emptyArray: readonly JsonValue[] = Object.freeze([])
const emptyObject: JsonObject = new Map()

const readParsed = (reader: JsonReader) => reader.readValue()
const readText = (reader: JsonReader) => reader.readText()

class JsonReader {
  readonly #scanner: JsonScanner
  readonly #allowance: DocumentAllowance
  #depth: number

  constructor(scanner: JsonScanner, allowance: DocumentAllowance, depth = 0) {
    this.#depth = depth
    this.#scanner = scanner
    this.#allowance = allowance
  }

  readDocument(): JsonValue {
    this.#scanner.skipSpace()
    const value = this.readValue()
    this.#scanner.skipSpace()
    this.#scanner.expectEnd()
    return value
  }

  readMemberTexts(): ReadonlyMap<string, string> {
    const scanner = this.#scanner
    scanner.skipSpace()
    if (!scanner.accept(openBrace)) throw scanner.error('expected "{"')
    scanner.skipSpace()
    const texts = scanner.accept(closeBrace) ? new Map<string, string>() : this.#readMembers(readText)
    scanner.skipSpace()
    scanner.expectEnd()
    return texts
  }

  /** The text of the next value, as it stands. */
  readText(): string {
    const start = this.#scanner.position
    this.readValue()
    return this.#scanner.slice(start)
  }

  readValue(): JsonValue {
    switch (this.#scanner.peek()) {
      case quote:
        this.#allowance.takeValue(weights.string)
        return this.#readString()
      case openBrace:
        return this.#readNested(closeBrace)
      case openBracket:
        return this.#readNested(closeBracket)
      case 0x74:
        return this.#readWord('true', true)
      case 0x66:
        return this.#readWord('false', false)
      case 0x6e:
        return this.#readWord('null', null)
      default:
        this.#allowance.takeValue(weights.number)
        return new JsonNumber(this.#scanner.readNumber())
    }
  }

  #readNested(close: number): JsonValue {
    const allowance = this.#allowance
    const { valuesLeft } = allowance
    const start = this.#scanner.position
    allowance.checkDepth(++this.#depth)
    this.#scanner.skip()
    this.#scanner.skipSpace()
    const value = close === closeBrace ? this.#readObject() : this.#readArray()
    this.#depth -= 1
    const length = this.#scanner.position - start
    return allowance.isShareable(length) ? allowance.shareValue(this.#scanner.slice(start), value, valuesLeft) : value
  }

  #readObject(): JsonObject {
    const scanner = this.#scanner
    if (scanner.accept(closeBrace)) {
      this.#allowance.takeValue(weights.empty)
      return emptyObject
    }
    return this.#readMembers(readParsed)
  }

  #readMembers<Value>(read: (reader: JsonReader) => Value): ReadonlyMap<string, Value> {
    const scanner = this.#scanner
    this.#allowance.takeValue(weights.object)
    const members = new Map<string, Value>()
    while (true) {
      if (scanner.peek() !== quote) throw scanner.error('expected the name of a member')
      const name = this.#readName()
      scanner.skipSpace()
      if (!scanner.accept(colon)) throw scanner.error('expected ":"')
      scanner.skipSpace()
      members.set(name, read(this))
      scanner.skipSpace()
      if (scanner.accept(closeBrace)) return members
      if (!scanner.accept(comma)) throw scanner.error('expected "," or "}"')
      scanner.skipSpace()
    }
  }

  #readName(): string {
    this.#allowance.takeValue(weights.member)
    return this.#allowance.shareName(this.#readString())
  }

  #readArray(): readonly JsonValue[] {
    const scanner = this.#scanner
    if (scanner.accept(closeBracket)) {
      this.#allowance.takeValue(weights.empty)
      return emptyArray
    }
    this.#allowance.takeValue(weights.array)
    const items: JsonValue[] = []
    while (true) {
      items.push(this.readValue())
      scanner.skipSpace()
      // A copy has no unused room, unlike an array that has grown.
      if (scanner.accept(closeBracket)) return items.slice()
      if (!scanner.accept(comma)) throw scanner.error('expected "," or "]"')
      scanner.skipSpace()
    }
  }

  #readString(): string {
    const token = this.#scanner.scanString()
    if (token.hasEscapes) this.#allowance.takeBytes((token.isWide ? 2 : 1) * (token.end - token.start))
    return this.#scanner.readString(token)
  }

  #readWord<Value>(word: string, value: Value): Value {
    this.#allowance.takeValue(weights.literal)
    this.#scanner.readWord(word)
    return value
  }
}
