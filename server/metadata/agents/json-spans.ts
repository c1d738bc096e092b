import type { Slices } from '@floe/storage/waiting'
import { readPointerSegment } from '../../problems/json-pointer.ts'

/** The bytes of a value: from `start` to before `end`. */
export type Span = { readonly start: number; readonly end: number }

/** A member of an object, or an entry of an array. */
export type Entry = {
  readonly isMember: boolean
  readonly index: number
  /** Where it begins: at the name of a member, or at the value of an entry. */
  readonly start: number
  readonly valueStart: number
}

const [quote, backslash, comma, letterU, letterN] = [0x22, 0x5c, 0x2c, 0x75, 0x6e]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Number of bytes between two checks of the clock. */
const bytesPerCheck = 0x4000

/**
 * Finds values in a body that `JsonWriter` has written, which is ASCII without white space. Scans the bytes instead of
 * parsing them, because parsing the largest answer (32 MiB) would block the event loop for up to two seconds and take
 * hundreds of megabytes. Scans in slices, so that the event loop can do other work in between.
 */
export class JsonSpans {
  readonly #body: Buffer
  readonly #slices: Slices
  #bytesUntilCheck = bytesPerCheck

  constructor(body: Buffer, slices: Slices) {
    this.#body = body
    this.#slices = slices
  }

  /** Finds where the value at a JSON pointer begins; undefined if there is none. Scans only the bytes before it. */
  async find(pointer: string): Promise<number | undefined> {
    const { start, missing } = await this.follow(pointer)
    return missing === '' ? start : undefined
  }

  /** Finds where the last value on the way of a JSON pointer begins, and what of the pointer leads nowhere. */
  async follow(pointer: string): Promise<{ readonly start: number; readonly missing: string }> {
    let start = 0
    const segments = pointer.split('/').slice(1)
    for (const [index, segment] of segments.entries()) {
      const found = await this.#findEntry(start, readPointerSegment(segment))
      if (found === undefined) return { start, missing: `/${segments.slice(index).join('/')}` }
      start = found
    }
    return { start, missing: '' }
  }

  async #findEntry(start: number, name: string): Promise<number | undefined> {
    let entry = await this.findFirst(start)
    while (entry !== undefined) {
      // Each character of a name is written with at most six. A longer name is not parsed.
      const canHaveName = entry.valueStart - entry.start <= 6 * name.length + 3
      if (canHaveName && this.readName(entry) === name) return entry.valueStart
      entry = await this.findNext(entry, await this.findEnd(entry.valueStart))
    }
    return undefined
  }

  /** Finds the first entry of the value at `start`; undefined if it has none, or is neither an array nor an object. */
  findFirst(start: number): Promise<Entry | undefined> {
    const isMember = this.isObject(start)
    return isMember || this.isArray(start) ? this.#findAt(start + 1, isMember, 0) : Promise.resolve(undefined)
  }

  /** Finds the entry after another one, whose value ends before `end`. */
  findNext({ isMember, index }: Entry, end: number): Promise<Entry | undefined> {
    return this.#findAt(this.#body[end] === comma ? end + 1 : end, isMember, index + 1)
  }

  /** Lists the values in the object or array at `start`, each with its name or index. */
  async *list(start: number): AsyncGenerator<Span & { readonly name: string }> {
    let entry = await this.findFirst(start)
    while (entry !== undefined) {
      const end = await this.findEnd(entry.valueStart)
      yield { name: this.readName(entry), start: entry.valueStart, end }
      entry = await this.findNext(entry, end)
    }
  }

  async #findAt(start: number, isMember: boolean, index: number): Promise<Entry | undefined> {
    const byte = this.#body[start]
    if (byte === undefined || byte === closeBrace || byte === closeBracket) return undefined
    return { isMember, index, start, valueStart: isMember ? (await this.findEnd(start)) + 1 : start }
  }

  /** Reads the name of a member. The name of an array's entry is its index. */
  readName({ isMember, index, start, valueStart }: Entry): string {
    return isMember ? String(JSON.parse(this.read(start, valueStart - 1))) : String(index)
  }

  /** Finds the position after the value at `start`. */
  async findEnd(start: number): Promise<number> {
    const body = this.#body
    let [depth, isText] = [0, false]
    for (let at = start; at < body.length; at++) {
      if (--this.#bytesUntilCheck < 0) {
        this.#bytesUntilCheck = bytesPerCheck
        if (this.#slices.isOver) await this.#slices.next()
      }
      const byte = body[at]
      if (byte === backslash) at++
      else if (byte === quote) isText = !isText
      else if (isText) continue
      else if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) depth--
      // A number or a word ends before the comma or the bracket behind it.
      if (depth < 0 || (depth === 0 && byte === comma)) return at
      if (depth === 0 && !isText && (byte === quote || byte === closeBrace || byte === closeBracket)) return at + 1
    }
    return body.length
  }

  /**
   * Finds the last position up to `end` where the text at `start` can be cut, which is between characters and escapes.
   */
  findCut(start: number, end: number): number {
    let at = start + 1
    for (let next = at; next <= end; next += this.#sizeOfCharacter(next)) at = next
    return at
  }

  read(start: number, end: number): string {
    return this.#body.toString('latin1', start, end)
  }

  isObject(start: number): boolean {
    return this.#body[start] === openBrace
  }

  isArray(start: number): boolean {
    return this.#body[start] === openBracket
  }

  isNull(start: number): boolean {
    return this.#body[start] === letterN
  }

  isText(start: number): boolean {
    return this.#body[start] === quote
  }

  /** Bytes of the character or escape at a position in a text. */
  #sizeOfCharacter(at: number): number {
    if (this.#body[at] !== backslash) return 1
    return this.#body[at + 1] === letterU ? 6 : 2
  }
}
