// Writes JSON as Python prints it: `json.dumps(value, separators=(',', ':'))` after `json.loads`.
import type { Slices } from '../../waiting/slices.ts'
import type { Cancellation } from './document-allowance.ts'
import { JsonNumber, type JsonValue } from './json-value.ts'
import { escapeBeyondAscii, spellNumber } from './python-spelling.ts'
import { type Encodable, asJsonBytes, EncodedJson, Members, type JsonBytes, type PlainJson } from './json-bytes.ts'

/** An answer would be larger than allowed. */
export class AnswerTooLargeError extends Error {
  override name = 'AnswerTooLargeError'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes.toLocaleString('en')} bytes; this limit is fixed`)
    this.maxBytes = maxBytes
  }
}

/** Default limit of an answer, in bytes: 32 MiB. */
export const defaultMaxAnswerBytes = 32 * 1024 * 1024

/**
 * Text is collected up to this length, in characters, before it is copied, because copying many short pieces is slow.
 */
const bufferedLength = 16 * 1024

/** Longer texts are escaped in parts of this length, in characters. A character can become six. */
const partLength = 16 * 1024

/** Maximum number of short strings that a writer caches, and their maximum length, in characters. */
const maxCached = 1000
const maxCachedLength = 64

/** A value that can be written. {@link Encodable} says which values are allowed for the type of a body. */
type Source = null | boolean | string | number | bigint | object | undefined

/** A moment between two parts of a body, when the collected text can be copied. */
type Pause = void

/** Writes one JSON body outside of JavaScript's heap: as ASCII, apart from parts that are kept as they were stored. */
export class JsonWriter {
  readonly #maxBytes: number
  readonly #cancellation: Cancellation | undefined
  /** Grows with what is written, because many bodies are single small values. */
  #bytes = Buffer.from(new ArrayBuffer(0))
  #length = 0
  #pending = ''
  /** Encoded short strings, because variables repeat the names of types and dimensions. */
  readonly #cached = new Map<string, string>()

  constructor(maxBytes = defaultMaxAnswerBytes, cancellation?: Cancellation) {
    this.#maxBytes = maxBytes
    this.#cancellation = cancellation
  }

  /** Bytes written so far. An iterator in the body can use it to decide when to end its list. */
  get length(): number {
    return this.#length + this.#pending.length
  }

  /**
   * Writes the body.
   *
   * @throws AnswerTooLargeError, and the reason of the cancellation
   */
  write<Body>(body: Encodable<NoInfer<Body>>): JsonBytes<Body> {
    for (const _ of this.#encode(body)) this.#flush()
    return this.#finish()
  }

  /**
   * Writes the body in slices, so that the event loop can do other work in between.
   *
   * @throws AnswerTooLargeError, and the reasons of the cancellation and of the slices' signal
   */
  async writeInSlices<Body>(body: Encodable<NoInfer<Body>>, slices: Slices): Promise<JsonBytes<Body>> {
    for (const _ of this.#encode(body)) {
      this.#flush()
      if (slices.isOver) await slices.next()
    }
    return this.#finish()
  }

  #finish<Body>(): JsonBytes<Body> {
    this.#flush()
    return asJsonBytes(Buffer.from(this.#bytes.buffer.transfer(this.#length)))
  }

  *#encode(value: Source): Generator<Pause> {
    if (this.#writeLeaf(value)) return
    if (typeof value === 'string') yield* this.#encodeText(value)
    else if (value instanceof Members) yield* this.#encodeMembers(value.entries)
    else if (value instanceof Map) yield* this.#encodeMembers(value)
    else if (isIterable(value)) yield* this.#encodeItems(value)
    else if (typeof value === 'object' && value !== null) yield* this.#encodeObject(value)
  }

  *#encodeItems(items: Iterable<Source>): Generator<Pause> {
    let separator = '['
    for (const item of items) {
      this.#pending += separator
      if (!this.#writeLeaf(item)) yield* this.#encode(item)
      if (this.#pending.length > bufferedLength) yield
      separator = ','
    }
    this.#pending += separator === '[' ? '[]' : ']'
  }

  *#encodeMembers(members: Iterable<readonly [string, Source]>): Generator<Pause> {
    let separator = '{'
    for (const [name, value] of members) {
      if (value === undefined) continue
      this.#pending += separator
      if (!this.#writeLeaf(name)) yield* this.#encodeText(name)
      this.#pending += ':'
      if (!this.#writeLeaf(value)) yield* this.#encode(value)
      if (this.#pending.length > bufferedLength) yield
      separator = ','
    }
    this.#pending += separator === '{' ? '{}' : '}'
  }

  *#encodeObject(value: object): Generator<Pause> {
    let separator = '{'
    for (const name of Object.keys(value)) {
      // Read members only when they are written, because a getter can depend on what was written before.
      const member: Source = Reflect.get(value, name)
      if (member === undefined) continue
      this.#pending += separator
      if (!this.#writeLeaf(name)) yield* this.#encodeText(name)
      this.#pending += ':'
      if (!this.#writeLeaf(member)) yield* this.#encode(member)
      if (this.#pending.length > bufferedLength) yield
      separator = ','
    }
    this.#pending += separator === '{' ? '{}' : '}'
  }

  *#encodeText(text: string): Generator<Pause> {
    this.#pending += '"'
    for (let start = 0; start < text.length; start += partLength) {
      this.#pending += writeString(text.slice(start, start + partLength)).slice(1, -1)
      yield
    }
    this.#pending += '"'
  }

  /** Writes a value, unless it is a list, an object with members or a long text; then returns false. */
  #writeLeaf(value: Source): boolean {
    if (typeof value === 'string') {
      if (value.length > partLength) return false
      this.#pending +=
        value.length > maxCachedLength ? writeString(value) : (this.#cached.get(value) ?? this.#cache(value))
    } else if (typeof value !== 'object' || value === null) this.#pending += String(value)
    else if (value instanceof JsonNumber) this.#pending += spellNumber(value)
    else if (value instanceof EncodedJson) this.#pending += value.text
    else return false
    return true
  }

  #cache(text: string): string {
    const written = writeString(text)
    if (this.#cached.size < maxCached) this.#cached.set(text, written)
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

/**
 * Writes a body at once; see {@link JsonWriter.write}.
 *
 * @throws AnswerTooLargeError
 */
export function writeBody<Body>(body: Encodable<NoInfer<Body>>, cancellation?: Cancellation): JsonBytes<Body> {
  return new JsonWriter(defaultMaxAnswerBytes, cancellation).write<Body>(body)
}

export function writeJson(value: JsonValue): string {
  return writeBody<unknown>(value).toString('latin1')
}

/** Encodes a small object at once, as {@link JsonWriter} would. */
export function encodeJson<Body extends PlainJson>(value: Body): EncodedJson<Body> {
  return new EncodedJson(escapeBeyondAscii(JSON.stringify(value)))
}

/** Takes JSON that was written before from a value of this type. */
export function takeJsonText<Body>(text: string): EncodedJson<Body> {
  return new EncodedJson(escapeBeyondAscii(text))
}

/** Takes JSON in UTF-8 that was stored as a value of this type. Its bytes are written as they stand. */
export function keepStoredJson<Body>(stored: Uint8Array): EncodedJson<Body> {
  return new EncodedJson(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('latin1'))
}

function isIterable(value: Source): value is Iterable<Source> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

/**
 * Writes a string in ASCII: DEL and all characters outside ASCII become `\uXXXX`. A part of a text can end within a
 * surrogate pair, because both halves have the same escapes alone as in the pair.
 */
function writeString(text: string): string {
  return escapeBeyondAscii(JSON.stringify(text))
}
