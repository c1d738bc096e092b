// Finds the parts of a JSON text where they lie. A text can have megabytes, so it is not parsed, and the work is done in slices.
import type { Slices } from '@floe/storage/waiting'

/** Where something lies in a text: from `start` to before `end`. */
export type Span = { readonly start: number; readonly end: number }

/** Where an entry of a list begins, or the value of a member of an object, which has a name. */
type EntryStart = { readonly start: number; readonly name: Span | undefined }

/** An entry of a list, or a member of an object. */
export type Entry = EntryStart & Span

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Bytes between two looks at the clock. */
const bytesPerLook = 0x1_0000

/** A JSON text that Floe has written. What is found in one that is not JSON means nothing, but nothing hangs. */
export class JsonParts {
  readonly bytes: Buffer
  readonly #slices: Slices

  constructor(bytes: Buffer, slices: Slices) {
    this.bytes = bytes
    this.#slices = slices
  }

  /** Where the whole value begins. */
  findRoot(): number {
    return this.#skipSpace(0)
  }

  /** What kind of value begins at a position. */
  readKind(start: number): 'object' | 'list' | 'text' | 'other' {
    const byte = this.bytes[start]
    if (byte === openBrace) return 'object'
    if (byte === openBracket) return 'list'
    return byte === quote ? 'text' : 'other'
  }

  /** Lists the entries of the list or object that begins at a position, in order. */
  async *listEntries(start: number): AsyncGenerator<Entry> {
    for (let next = this.#findFirst(start); next !== undefined;) {
      const entry = { ...next, end: await this.findEnd(next.start) }
      yield entry
      next = this.#findNext(start, entry.end)
      if (this.#slices.isOver) await this.#slices.next()
    }
  }

  /**
   * Finds where a member, or an entry by its index, begins; undefined when there is none. Only the entries before it are read, so that the
   * way to a part deep inside is read once.
   */
  async findEntry(start: number, name: string): Promise<number | undefined> {
    let next = this.#findFirst(start)
    for (let index = 0; next !== undefined; index++) {
      if ((this.readName(next) ?? String(index)) === name) return next.start
      next = this.#findNext(start, await this.findEnd(next.start))
      if (this.#slices.isOver) await this.#slices.next()
    }
    return undefined
  }

  /** The first entry of the list or object that begins at a position. */
  #findFirst(start: number): EntryStart | undefined {
    return this.#readEntryStart(start, this.#skipSpace(start + 1))
  }

  /** The entry of the list or object at `start` that follows on one with this end. */
  #findNext(start: number, end: number): EntryStart | undefined {
    const at = this.#skipSpace(end)
    return this.#readEntryStart(start, this.bytes[at] === comma ? this.#skipSpace(at + 1) : at)
  }

  #readEntryStart(start: number, at: number): EntryStart | undefined {
    const { bytes } = this
    if (at >= bytes.length || bytes[at] === closeBrace || bytes[at] === closeBracket) return undefined
    if (bytes[start] !== openBrace) return { start: at, name: undefined }
    const name = { start: at, end: this.#findTextEnd(at) }
    const behind = this.#skipSpace(name.end)
    return { start: this.#skipSpace(bytes[behind] === colon ? behind + 1 : behind), name }
  }

  /** Reads the name of a member; undefined for an entry of a list. */
  readName({ name }: Pick<Entry, 'name'>): string | undefined {
    return name && String(JSON.parse(this.bytes.toString('utf8', name.start, name.end)))
  }

  /** Finds the position behind the value that begins at `start`, at least one further. */
  async findEnd(start: number): Promise<number> {
    const { bytes } = this
    const kind = this.readKind(start)
    if (kind === 'text') return this.#findTextEnd(start)
    if (kind === 'other') return Math.max(this.#findScalarEnd(start), start + 1)
    let depth = 0
    let look = start + bytesPerLook
    for (let at = start; at < bytes.length;) {
      const byte = bytes[at]
      if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) depth--
      at = byte === quote ? this.#findTextEnd(at) : at + 1
      if (depth === 0) return at
      if (at < look) continue
      look = at + bytesPerLook
      if (this.#slices.isOver) await this.#slices.next()
    }
    return bytes.length
  }

  #findScalarEnd(start: number): number {
    let at = start
    while (at < this.bytes.length && !isDelimiter(this.bytes[at])) at++
    return at
  }

  #findTextEnd(start: number): number {
    const { bytes } = this
    for (let at = start + 1; ; at++) {
      at = bytes.indexOf(quote, at)
      if (at < 0) return bytes.length
      let slashes = 0
      while (bytes[at - 1 - slashes] === backslash) slashes++
      // A quote behind an odd number of backslashes belongs to the text.
      if (slashes % 2 === 0) return at + 1
    }
  }

  #skipSpace(start: number): number {
    let at = start
    while (isSpace(this.bytes[at])) at++
    return at
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)
}
