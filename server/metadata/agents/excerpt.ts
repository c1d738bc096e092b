// Takes as much of a JSON answer as an agent can use: it pays for each word that it reads. An answer can have 32 MiB. Parsed, it would stop
// the event loop and take hundreds of megabytes, so what is left out is skipped byte by byte, in slices.
import { Slices } from '@floe/storage/waiting'
import { readPointerSegment, writeJsonPointer } from '../../http/problems/json-pointer.ts'

/** What to take of an answer. */
export type ExcerptOptions = {
  /** JSON pointer (RFC 6901) of the part; `''` is the whole answer. */
  readonly part: string
  /** Number of entries of the part to skip. */
  readonly skip: number
  /** Maximum number of entries; Infinity for as many as there is room for. */
  readonly take: number
  /** Maximum size of the text, in bytes. A number, or a name with an empty value, can exceed it a little. */
  readonly maxBytes: number
}

/** A place where something was left out: `shown` of `of` are shown, after `skipped`. */
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

/** How much of a value may be written. */
type Room = Omit<ExcerptOptions, 'part'>

/** The bytes of a value: from `start` to before `end`. */
type Span = { readonly start: number; readonly end: number }

const [quote, backslash, comma, letterU] = [0x22, 0x5c, 0x2c, 0x75]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Number of bytes between two checks of the clock. */
const bytesPerCheck = 0x4000

/** Maximum number of listed cuts. Each cut needs a large value, so there are rarely more. */
const maxCuts = 10

/** The share of the remaining room for a value that is too large for it. The rest is for what follows. */
const shareOfLarge = 0.75

/**
 * Takes an excerpt of a body that `JsonWriter` has written: ASCII without white space.
 *
 * @returns undefined when the answer has no such part
 * @throws the reason of the signal when that aborts
 */
export async function takeExcerpt(
  body: Buffer,
  { part, ...room }: ExcerptOptions,
  signal: AbortSignal,
): Promise<Excerpt | undefined> {
  const writer = new ExcerptWriter(body, new Slices(signal))
  const isFound = await writer.writePart(part, room)
  return isFound ? { text: writer.text, cuts: writer.cuts.slice(0, maxCuts) } : undefined
}

class ExcerptWriter {
  readonly #body: Buffer
  readonly #slices: Slices
  readonly cuts: Cut[] = []
  text = ''
  #bytesUntilCheck = bytesPerCheck

  constructor(body: Buffer, slices: Slices) {
    this.#body = body
    this.#slices = slices
  }

  /** Writes the part at this pointer; returns false when there is none. */
  async writePart(pointer: string, room: Room): Promise<boolean> {
    let start = 0
    for (const segment of pointer.split('/').slice(1)) {
      const found = await this.#findEntry(start, readPointerSegment(segment))
      if (found === undefined) return false
      start = found
    }
    await this.#write({ start, end: await this.#skipValue(start) }, pointer, room)
    return true
  }

  /** Finds where a member, or an entry by its index, begins. Only what comes before it is read. */
  async #findEntry(start: number, name: string): Promise<number | undefined> {
    if (!this.#isNested(start)) return undefined
    for (let at = start + 1, index = 0; this.#hasEntry(at); index++) {
      const value = await this.#skipName(start, at)
      // Each character of a name is written with at most six.
      const canBeIt = value - at <= 6 * name.length + 3
      if (canBeIt && this.#readName(at, value, index) === name) return value
      at = this.#skipComma(await this.#skipValue(value))
    }
    return undefined
  }

  async #write(span: Span, pointer: string, room: Room): Promise<void> {
    const { start, end } = span
    const isShort = end - start <= room.maxBytes
    const isWhole = isShort && room.skip === 0 && room.take === Infinity
    if (this.#isNested(start) && !isWhole) await this.#writeEntries(start, pointer, room)
    else if (this.#body[start] === quote && !isShort) this.#writeText(span, pointer, room.maxBytes)
    else this.text += this.#read(start, end)
  }

  async #writeEntries(start: number, pointer: string, { maxBytes, skip, take }: Room): Promise<void> {
    const isObject = this.#body[start] === openBrace
    const limit = this.text.length + maxBytes - '}'.length
    this.text += isObject ? '{' : '['
    let [of, shown, isFull] = [0, 0, false]
    for (let at = start + 1; this.#hasEntry(at); of++) {
      const value = await this.#skipName(start, at)
      const end = await this.#skipValue(value)
      if (of >= skip && shown < take && !isFull) {
        const left = limit - this.text.length - ','.length - (value - at)
        isFull = !mayWrite(end - value, left, maxBytes)
        if (!isFull) {
          this.text += `${shown++ > 0 ? ',' : ''}${this.#read(at, value)}`
          const below = `${pointer}${writeJsonPointer([this.#readName(at, value, of)])}`
          const share = end - value <= left ? left : Math.floor(left * shareOfLarge)
          await this.#write({ start: value, end }, below, { maxBytes: share, skip: 0, take: Infinity })
        }
      }
      at = this.#skipComma(end)
    }
    this.text += isObject ? '}' : ']'
    if (shown < of) this.cuts.push({ pointer, unit: isObject ? 'members' : 'entries', skipped: skip, shown, of })
  }

  /** Writes the beginning of a text that is too long. */
  #writeText({ start, end }: Span, pointer: string, maxBytes: number): void {
    let at = start + 1
    for (let next = at; next <= start + maxBytes - 5 && next < end; next += this.#sizeOfCharacter(next)) at = next
    this.text += `${this.#read(start, at)}…"`
    this.cuts.push({ pointer, unit: 'bytes', skipped: 0, shown: at - start - 1, of: end - start - 2 })
  }

  /** Finds the position after the value at `start`. */
  async #skipValue(start: number): Promise<number> {
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
      if (depth < 0 || (depth === 0 && byte === comma)) return at
      if (depth === 0 && !isText && (byte === quote || byte === closeBrace || byte === closeBracket)) return at + 1
    }
    return body.length
  }

  /** Finds where the value of the entry at `at` begins. Entries of objects have a name before it. */
  async #skipName(start: number, at: number): Promise<number> {
    return this.#body[start] === openBrace ? (await this.#skipValue(at)) + 1 : at
  }

  #skipComma(at: number): number {
    return this.#body[at] === comma ? at + 1 : at
  }

  #hasEntry(at: number): boolean {
    return at < this.#body.length && this.#body[at] !== closeBrace && this.#body[at] !== closeBracket
  }

  #isNested(start: number): boolean {
    return this.#body[start] === openBrace || this.#body[start] === openBracket
  }

  /** Reads the name between two positions, without its colon. The name of a list entry is its index. */
  #readName(start: number, end: number, index: number): string {
    return start === end ? String(index) : String(JSON.parse(this.#read(start, end - 1)))
  }

  #read(start: number, end: number): string {
    return this.#body.toString('latin1', start, end)
  }

  /** Bytes of the character or escape at a position in a text. */
  #sizeOfCharacter(at: number): number {
    if (this.#body[at] !== backslash) return 1
    return this.#body[at + 1] === letterU ? 6 : 2
  }
}

/** Starts a value that is too large only if more than half of the room is left: a few whole values say more than many beginnings. */
function mayWrite(size: number, left: number, maxBytes: number): boolean {
  return size <= left || (left > maxBytes / 2 && left > 100)
}

/** Explains to an agent what an answer leaves out and how to ask for it, one line for each cut. */
export function explainCuts(cuts: readonly Cut[], part: string, canNameGroup: boolean): string[] {
  if (cuts.length === 0) return []
  const narrower = canNameGroup ? 'A `group` also narrows it.' : ''
  return [
    `This is not the whole answer. Ask again with \`part\`, \`skip\` and \`take\` for the rest. ${narrower}`.trim(),
    ...cuts.map((cut) => explainCut(cut, part)),
  ]
}

function explainCut({ pointer, unit, skipped, shown, of }: Cut, requested: string): string {
  const part = JSON.stringify(pointer)
  if (unit === 'bytes') {
    const more = pointer === requested ? 'the rest of a text cannot be read here' : 'request this part to get more'
    return `- part ${part}: the first ${shown} of ${of} bytes; ${more}`
  }
  const range = shown === 0 ? 'none' : `${skipped + 1} to ${skipped + shown}`
  const end = skipped + shown
  const rest = end < of ? `; continue with part ${part} and skip ${end}` : ''
  return `- part ${part}: ${unit} ${range} of ${of}${rest}`
}
