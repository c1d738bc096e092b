// Takes so much of a JSON answer as an agent can use: it pays for each word that it reads. An answer that is short enough stays as it is.
import { Slices } from '@floe/storage/waiting'
import { readPointerSegment, writeJsonPointer } from '../../problems/json-pointer.ts'
import { type Entry, JsonParts, type Span } from './json-parts.ts'

/** What to take of an answer. */
export type ExcerptOptions = {
  /** JSON pointer (RFC 6901) of the part; `''` is the whole answer. */
  readonly part: string
  /** Entries of the part to leave out at its beginning. */
  readonly skip: number
  /** Most entries of the part; Infinity for as many as there is room for. */
  readonly take: number
  /** Most bytes of the text. A number, or a name with nothing in it, can exceed this a little. */
  readonly maxBytes: number
}

/** A place at which something was left out: so many of all were shown, after those that were skipped. */
export type Cut = {
  /** JSON pointer of the place in the whole answer. */
  readonly pointer: string
  readonly unit: 'members' | 'entries' | 'bytes'
  readonly skipped: number
  readonly shown: number
  readonly of: number
}

/** A part of an answer, as JSON, and what is missing in it. */
export type Excerpt = { readonly text: string; readonly cuts: readonly Cut[] }

/** Cuts that are listed. Each needs a large value, so there are never many more. */
const maxCuts = 10

/**
 * Takes an excerpt of a JSON text that Floe has written.
 *
 * @returns undefined when the answer has no such part
 */
export async function takeExcerpt(
  bytes: Buffer,
  { part, skip, take, maxBytes }: ExcerptOptions,
  signal: AbortSignal,
): Promise<Excerpt | undefined> {
  const parts = new JsonParts(bytes, new Slices(signal))
  const span = await findPart(parts, part)
  if (span === undefined) return undefined
  const writer = new ExcerptWriter(parts)
  await writer.write(span, part, { maxBytes, skip, take })
  return { text: writer.text, cuts: writer.cuts }
}

async function findPart(parts: JsonParts, pointer: string): Promise<Span | undefined> {
  let start = parts.findRoot()
  for (const segment of pointer.split('/').slice(1)) {
    const kind = parts.readKind(start)
    if (kind !== 'object' && kind !== 'list') return undefined
    const found = await parts.findEntry(start, readPointerSegment(segment))
    if (found === undefined) return undefined
    start = found
  }
  return { start, end: await parts.findEnd(start) }
}

/** How much of a value may be written. */
type Room = Omit<ExcerptOptions, 'part'>

class ExcerptWriter {
  readonly #parts: JsonParts
  readonly #written: (Buffer | string)[] = []
  readonly #cuts: Cut[] = []

  constructor(parts: JsonParts) {
    this.#parts = parts
  }

  get text(): string {
    return this.#written.map(String).join('')
  }

  get cuts(): readonly Cut[] {
    return this.#cuts.slice(0, maxCuts)
  }

  /** Writes as much of a value as there is room for. Returns the number of bytes. */
  async write(span: Span, pointer: string, room: Room): Promise<number> {
    const size = span.end - span.start
    const kind = this.#parts.readKind(span.start)
    const isWindow = room.skip > 0 || room.take < Infinity
    if (kind === 'text') return size <= room.maxBytes ? this.#copy(span) : this.#writeText(span, pointer, room.maxBytes)
    if (kind === 'other' || (size <= room.maxBytes && !isWindow)) return this.#copy(span)
    return this.#writeEntries(span, pointer, room)
  }

  async #writeEntries({ start }: Span, pointer: string, room: Room): Promise<number> {
    const { maxBytes, skip, take } = room
    const isObject = this.#parts.readKind(start) === 'object'
    let used = this.#push(isObject ? '{' : '[') + 1
    let of = 0
    let shown = 0
    let isFull = false
    for await (const entry of this.#parts.listEntries(start)) {
      of++
      if (of <= skip || isFull || shown === take) continue
      const left = maxBytes - used - sizeOfName(entry) - 1
      isFull = !mayWrite(entry, left, maxBytes)
      if (isFull) continue
      const name = this.#parts.readName(entry) ?? String(of - 1)
      if (shown++ > 0) used += this.#push(',')
      if (entry.name !== undefined) used += this.#copy(entry.name) + this.#push(':')
      const share = entry.end - entry.start <= left ? left : Math.floor(left * shareOfLarge)
      used += await this.write(entry, `${pointer}${writeJsonPointer([name])}`, {
        maxBytes: share,
        skip: 0,
        take: Infinity,
      })
    }
    this.#push(isObject ? '}' : ']')
    if (shown < of) this.#cuts.push({ pointer, unit: isObject ? 'members' : 'entries', skipped: skip, shown, of })
    return used
  }

  /** Writes the beginning of a text that is too long. */
  #writeText({ start, end }: Span, pointer: string, maxBytes: number): number {
    const { bytes } = this.#parts
    let at = start + 1
    for (let next = at; next <= start + maxBytes - 5 && next < end; next += sizeOfCharacter(bytes, next)) at = next
    this.#cuts.push({ pointer, unit: 'bytes', skipped: 0, shown: at - start - 1, of: end - start - 2 })
    return this.#copy({ start, end: at }) + this.#push('…"')
  }

  #copy({ start, end }: Span): number {
    this.#written.push(this.#parts.bytes.subarray(start, end))
    return end - start
  }

  #push(text: string): number {
    this.#written.push(text)
    return Buffer.byteLength(text)
  }
}

/** Of the room that is left, a value that is too large for it gets this share. The rest is for what follows. */
const shareOfLarge = 0.75

/** A value that is too large is begun only where more than half of the room is left: a few whole values say more than many beginnings. */
function mayWrite({ start, end }: Entry, left: number, maxBytes: number): boolean {
  return end - start <= left || (left > maxBytes / 2 && left > 100)
}

/** Bytes of the name of a member with the colon. */
function sizeOfName({ name }: Entry): number {
  return name === undefined ? 0 : name.end - name.start + 1
}

/** Bytes of the character or escape at a position in a text. */
function sizeOfCharacter(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0
  if (byte === 0x5c) return bytes[at + 1] === 0x75 ? 6 : 2
  if (byte < 0xc0) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}
