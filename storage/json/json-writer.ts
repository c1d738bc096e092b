// Writes JSON as Python prints it: `json.dumps(value, separators=(',', ':'))` after `json.loads`. Callers that have an ordered
// structure of their own write it with `members` and `items`. That avoids JavaScript objects, which would change the order of members
// and the spelling of numbers.
import type { Cancellation } from './cancellation.ts'
import { FlatObject } from './flat-object.ts'
import { isJsonArray, JsonNumber, type JsonValue } from './json-value.ts'
import { escapeBeyondAscii, spellNumber } from './python-spelling.ts'

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

/** How many short strings a writer remembers, and their longest, in characters. */
const maxKnown = 1000
const maxKnownLength = 64

/**
 * JSON under construction, in ASCII bytes outside of JavaScript's heap. Its methods throw {@link AnswerTooLargeError}, and what the
 * cancellation throws.
 */
export class JsonWriter {
  readonly #maxBytes: number
  readonly #cancellation: Cancellation | undefined
  #bytes = Buffer.alloc(bufferedLength)
  #length = 0
  #pending = ''
  /** Short strings as they were written before: variables repeat the names of types and dimensions. */
  readonly #known = new Map<string, string>()

  constructor(maxBytes = defaultMaxAnswerBytes, cancellation?: Cancellation) {
    this.#maxBytes = maxBytes
    this.#cancellation = cancellation
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length + this.#pending.length
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
    if (text.length <= maxKnownLength) return this.raw(this.#known.get(text) ?? this.#remember(text))
    this.raw('"')
    for (let start = 0; start < text.length; start += partLength) this.stringPart(text.slice(start, start + partLength))
    return this.raw('"')
  }

  /** Writes a part of a string as {@link JsonWriter.string} does. The caller writes the quotation marks. */
  stringPart(text: string): this {
    return this.raw(writeString(text).slice(1, -1))
  }

  /**
   * Writes a parsed value, with its numbers as {@link spellNumber} spells them.
   */
  value(value: JsonValue): this {
    if (value === null || typeof value === 'boolean') return this.raw(String(value))
    if (typeof value === 'string') return this.string(value)
    if (value instanceof JsonNumber) return this.raw(spellNumber(value))
    if (value instanceof FlatObject) return this.raw(value.print())
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

  #remember(text: string): string {
    const written = writeString(text)
    if (this.#known.size < maxKnown) this.#known.set(text, written)
    return written
  }

  #flush(): void {
    this.#cancellation?.throwIfAborted()
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

function writeString(text: string): string {
  // JSON.stringify already escapes lone surrogates. It leaves all other characters from DEL upwards unescaped. A part of a text may end
  // between two surrogates, which then are escaped like lone ones, and have the same escapes as a pair.
  return escapeBeyondAscii(JSON.stringify(text))
}
