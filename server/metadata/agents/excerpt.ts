// Takes a part of a JSON answer that is small enough for an agent, which pays for each word that it reads.
import { Slices } from '@floe/storage/waiting'
import { writeJsonPointer } from '../../problems/json-pointer.ts'
import { JsonSpans, type Span } from './json-spans.ts'

/** What to take of an answer. */
export type ExcerptOptions = {
  /** JSON pointer (RFC 6901) of the part; `''` is the whole answer. */
  readonly part: string
  /** Number of entries of the part to skip. */
  readonly skip: number
  /** Maximum number of entries; Infinity for as many as fit. */
  readonly take: number
  /** Maximum size of the text, in bytes. A number, or a name with an empty value, can exceed it a little. */
  readonly maxBytes: number
}

/** A value that is shown in part: `shown` of `of` units, after the first `skipped`. */
export type Cut = {
  /** JSON pointer of the value in the whole answer. */
  readonly pointer: string
  readonly unit: 'members' | 'entries' | 'bytes'
  readonly skipped: number
  readonly shown: number
  readonly of: number
}

/** A part of an answer as JSON, and what is missing in it. */
export type Excerpt = { readonly text: string; readonly cuts: readonly Cut[] }

/** How much of one value may be written. */
type Limits = Omit<ExcerptOptions, 'part'>

/** Maximum number of listed cuts. Each cut needs a large value, so there are rarely more. */
const maxCuts = 10

/** Fraction of the remaining bytes that one oversized value may use; the rest is left for later entries. */
const shareOfLarge = 0.75

/**
 * Takes an excerpt of a body that `JsonWriter` has written.
 *
 * @returns undefined if the answer has no such part
 * @throws the reason of the signal if that aborts
 */
export async function takeExcerpt(
  body: Buffer,
  { part, ...limits }: ExcerptOptions,
  signal: AbortSignal,
): Promise<Excerpt | undefined> {
  const json = new JsonSpans(body, new Slices(signal))
  const start = await json.find(part)
  if (start === undefined) return undefined
  const writer = new ExcerptWriter(json)
  await writer.write({ start, end: await json.findEnd(start) }, part, limits)
  return { text: writer.text, cuts: writer.cuts.slice(0, maxCuts) }
}

/** Maximum number of parts that are named, and maximum length of their names, in characters. */
const [maxNamedParts, maxNameLength] = [30, 255]

/** Names the parts where a pointer leads nowhere: those of the last value on its way. */
export async function nameParts(body: Buffer, part: string, signal: AbortSignal): Promise<string> {
  const json = new JsonSpans(body, new Slices(signal))
  const { start, missing } = await json.follow(part)
  const above = part.slice(0, part.length - missing.length)
  const names: string[] = []
  let of = 0
  for await (const { name } of json.list(start)) {
    of++
    if (names.length < maxNamedParts && name.length <= maxNameLength)
      names.push(JSON.stringify(above + writeJsonPointer([name])))
  }
  return `${names.join(', ') || 'none'}${of > names.length ? `, and ${of - names.length} more` : ''}`
}

class ExcerptWriter {
  readonly #json: JsonSpans
  readonly cuts: Cut[] = []
  text = ''

  constructor(json: JsonSpans) {
    this.#json = json
  }

  /** Writes as much of a value as the limits allow, without members that are null. */
  async write({ start, end }: Span, pointer: string, limits: Limits): Promise<void> {
    const json = this.#json
    const isShort = end - start <= limits.maxBytes
    if (json.isObject(start) || json.isArray(start)) await this.#writeEntries(start, pointer, limits)
    else if (json.isText(start) && !isShort) this.#writeText({ start, end }, pointer, limits.maxBytes)
    else this.text += json.read(start, end)
  }

  async #writeEntries(start: number, pointer: string, { maxBytes, skip, take }: Limits): Promise<void> {
    const json = this.#json
    const isObject = json.isObject(start)
    const maxLength = this.text.length + maxBytes - '}'.length
    this.text += isObject ? '{' : '['
    let [of, shown, isFull] = [0, 0, false]
    for (let entry = await json.findFirst(start); entry !== undefined;) {
      const { start: entryStart, valueStart } = entry
      const end = await json.findEnd(valueStart)
      // An entry of a list stays, because its position counts.
      const isLeftOut = isObject && json.isNull(valueStart)
      if (!isLeftOut && of++ >= skip && shown < take && !isFull) {
        const left = maxLength - this.text.length - (shown > 0 ? ','.length : 0) - (valueStart - entryStart)
        isFull = !mayWrite(end - valueStart, left, maxBytes)
        if (!isFull) {
          this.text += `${shown++ > 0 ? ',' : ''}${json.read(entryStart, valueStart)}`
          const maxValueBytes = end - valueStart <= left ? left : Math.floor(left * shareOfLarge)
          const limits = { maxBytes: maxValueBytes, skip: 0, take: Infinity }
          await this.write({ start: valueStart, end }, pointer + writeJsonPointer([json.readName(entry)]), limits)
        }
      }
      entry = await json.findNext(entry, end)
    }
    this.text += isObject ? '}' : ']'
    if (shown < of) this.cuts.push({ pointer, unit: isObject ? 'members' : 'entries', skipped: skip, shown, of })
  }

  /** Writes the beginning of a text that is too long. */
  #writeText({ start, end }: Span, pointer: string, maxBytes: number): void {
    const ending = '…"'
    const cut = this.#json.findCut(start, Math.min(start + maxBytes - Buffer.byteLength(ending) - 1, end - 1))
    this.text += `${this.#json.read(start, cut)}${ending}`
    this.cuts.push({ pointer, unit: 'bytes', skipped: 0, shown: cut - start - 1, of: end - start - 2 })
  }
}

/**
 * Whether a value is written. An oversized value is cut only if more than half of the room is left, because a few whole
 * values tell more than many beginnings.
 */
function mayWrite(size: number, left: number, maxBytes: number): boolean {
  return size <= left || (left > maxBytes / 2 && left > 100)
}
