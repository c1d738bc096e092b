// Writes JSON as Python prints it: `json.dumps(value, separators=(',', ':'))` after `json.loads`. Callers that have an ordered
// structure of their own write it with `members` and `items`. That avoids JavaScript objects, which would change the order of members
// and the spelling of numbers.
import { formatPythonFloat } from './format-python-float.ts'
import { isJsonArray, JsonNumber, type JsonValue } from './json-value.ts'

/** An answer would be larger than allowed. */
export class AnswerTooLargeError extends Error {
  override name = 'AnswerTooLargeError'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes.toLocaleString('en')} bytes; this limit is fixed`)
    this.maxBytes = maxBytes
  }
}

/** Largest answer unless the caller says otherwise, in bytes: 32 MiB. */
export const defaultMaxAnswerBytes = 32 * 1024 * 1024

/** Texts are collected up to this length, in characters, because copying many short ones to bytes takes long. */
const bufferedLength = 16 * 1024

/** Characters that may become six of them, so longer texts are escaped in parts. */
const partLength = 64 * 1024

/** JSON under construction, in ASCII bytes outside of JavaScript's heap. Its methods throw {@link AnswerTooLargeError}. */
export class JsonWriter {
  readonly #maxBytes: number
  #bytes = Buffer.alloc(bufferedLength)
  #length = 0
  #pending = ''

  constructor(maxBytes = defaultMaxAnswerBytes) {
    this.#maxBytes = maxBytes
  }

  /** Everything written so far, in memory of its own. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#flush()
    return new Uint8Array(this.#bytes.buffer.transfer(this.#length))
  }

  /** Writes text that is JSON and ASCII already. */
  raw(text: string): this {
    this.#pending += text
    if (this.#pending.length > bufferedLength) this.#flush()
    return this
  }

  /**
   * Writes a string in ASCII. DEL and all characters outside ASCII become `\uXXXX`, those beyond U+FFFF as a surrogate
   * pair.
   */
  string(text: string): this {
    this.raw('"')
    for (let start = 0; start < text.length; start += partLength) {
      this.raw(escapeText(text.length <= partLength ? text : text.slice(start, start + partLength)))
    }
    return this.raw('"')
  }

  /**
   * Writes a parsed value. A float too large for a double (`1E400`) becomes `null`, because Python would print the bare
   * word `Infinity`, which is not JSON.
   */
  value(value: JsonValue): this {
    if (value === null || typeof value === 'boolean') return this.raw(String(value))
    if (typeof value === 'string') return this.string(value)
    if (value instanceof JsonNumber) return this.raw(spellNumber(value))
    return isJsonArray(value) ? this.items(value, writeValue) : this.members(value, writeValue)
  }

  /** Writes an array; `write` writes each item. */
  items<Item>(items: Iterable<Item>, write: (json: JsonWriter, item: Item) => void): this {
    let separator = '['
    for (const item of items) {
      this.raw(separator)
      write(this, item)
      separator = ','
    }
    return this.raw(separator === '[' ? '[]' : ']')
  }

  /** Writes an object; `write` writes each value. Names are neither sorted nor made unique. */
  members<Value>(members: Iterable<readonly [string, Value]>, write: (json: JsonWriter, value: Value) => void): this {
    let separator = '{'
    for (const [name, value] of members) {
      this.raw(separator).string(name).raw(':')
      write(this, value)
      separator = ','
    }
    return this.raw(separator === '{' ? '{}' : '}')
  }

  #flush(): void {
    const length = this.#length + this.#pending.length
    if (length > this.#maxBytes) throw new AnswerTooLargeError(this.#maxBytes)
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.write(this.#pending, this.#length, 'latin1')
    this.#length = length
    this.#pending = ''
  }

  #grow(length: number): void {
    this.#bytes = Buffer.from(
      this.#bytes.buffer.transfer(Math.min(Math.max(length, 2 * this.#bytes.length), this.#maxBytes)),
    )
  }
}

function writeValue(json: JsonWriter, value: JsonValue): void {
  json.value(value)
}

function escapeText(text: string): string {
  // JSON.stringify already escapes lone surrogates. It leaves all other characters from DEL upwards unescaped. A part of a text may end
  // between two surrogates, which then are escaped like lone ones, and have the same escapes as a pair.
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function spellNumber(number: JsonNumber): string {
  if (number.isInteger) return number.text === '-0' ? '0' : number.text
  const value = number.value
  return Number.isFinite(value) ? formatPythonFloat(value) : 'null'
}
