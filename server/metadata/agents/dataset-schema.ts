// Writes the schema of a dataset as text, which takes a fifth of the tokens of `dict`: a line for the dataset, then one
// for each variable. Variables with the same role, type and dimensions are together, below a line that says these.
import { Slices } from '@floe/storage/waiting'
import { formatCount } from '../../pages/parts/format-count.ts'
import { shorten } from '../../text/shorten.ts'
import { JsonSpans, type Span } from './json-spans.ts'

/** What to write of a schema. */
export type SchemaOptions = {
  /** Only variables with this text in their name, units or long name; `''` for all. */
  readonly filter: string
  /** Number of variables to skip. */
  readonly skip: number
  /** Maximum number of variables; Infinity for as many as fit. */
  readonly take: number
  /** Maximum size of the text, in bytes. One variable is written even if it exceeds that. */
  readonly maxBytes: number
}

export type Schema = {
  readonly text: string
  /** Number of variables in the text. */
  readonly shown: number
  /** Number of variables that the filter selects. */
  readonly selected: number
  /** Number of all variables. */
  readonly of: number
}

/** Attributes that are shown if they are texts, with their longest length in Unicode code points. */
const shownAttributes: ReadonlyMap<string, number> = new Map([
  ['title', 200],
  ['units', 40],
  ['long_name', 120],
  ['standard_name', 120],
])

/** Longest name of a variable or a dimension, and of a type, in Unicode code points. */
const maxNameLength = 256

/** Maximum number of dimensions in a line. */
const maxDimensions = 32

/**
 * Writes the schema of a dataset.
 *
 * @param body what the route `dict` answers, as `JsonWriter` has written it
 * @throws the reason of the signal if that aborts
 */
export async function writeSchema(body: Buffer, options: SchemaOptions, signal: AbortSignal): Promise<Schema> {
  const { filter, skip, take, maxBytes } = options
  const reader = new DictReader(new JsonSpans(body, new Slices(signal)), filter.toLowerCase())
  const { summary, sections, of } = await reader.read()
  let text = summary
  let [size, selected, shown, isFull] = [Buffer.byteLength(summary), 0, 0, false]
  for (const [heading, lines] of sections) {
    let isHeaded = false
    for (const line of lines) {
      if (selected++ < skip || shown === take || isFull) continue
      const added = isHeaded ? `\n${line}` : `\n${heading}\n${line}`
      isFull = shown > 0 && size + Buffer.byteLength(added) > maxBytes
      if (isFull) continue
      text += added
      size += Buffer.byteLength(added)
      isHeaded = true
      shown++
    }
  }
  return { text, shown, selected, of }
}

/** A dataset as lines of text. */
type DatasetLines = {
  readonly summary: string
  /** The lines of variables by their heading. */
  readonly sections: ReadonlyMap<string, readonly string[]>
  /** Number of all variables. */
  readonly of: number
}

/** Reads a `dict` as lines, without parsing it: see {@link JsonSpans}. */
class DictReader {
  readonly #json: JsonSpans
  readonly #filter: string
  readonly #sections = new Map<string, string[]>()

  /** @param filter in lower case */
  constructor(json: JsonSpans, filter: string) {
    this.#json = json
    this.#filter = filter
  }

  async read(): Promise<DatasetLines> {
    let [title, sizes, coordinates, dataVariables] = ['', nothing, 0, 0]
    for await (const { name, start } of this.#json.list(0)) {
      if (name === 'coords') coordinates = await this.#readVariables(start, 'coordinate')
      else if (name === 'data_vars') dataVariables = await this.#readVariables(start, 'data')
      else if (name === 'dims') sizes = await this.#readSizes(start)
      else if (name === 'attrs') title = (await this.#readAttributes(start)).get('title') ?? ''
    }
    const named = title === '' ? 'dataset' : `dataset ${JSON.stringify(title)}`
    const counts = `${formatCount(coordinates, 'coordinate')}, ${formatCount(dataVariables, 'data variable')}`
    return {
      summary: `${named}: dimensions ${writeSizes(sizes)}; ${counts}`,
      sections: this.#sections,
      of: coordinates + dataVariables,
    }
  }

  /** Adds the variables that the filter selects to the sections. Returns the number of all. */
  async #readVariables(start: number, role: 'coordinate' | 'data'): Promise<number> {
    let variables = 0
    for await (const { name, start: variableStart } of this.#json.list(start)) {
      variables++
      const { heading, units, longName } = await this.#readVariable(variableStart)
      if (![name, units, longName].some((text) => text.toLowerCase().includes(this.#filter))) continue
      const lines = this.#sections.get(`${role} ${heading}`) ?? []
      this.#sections.set(`${role} ${heading}`, lines)
      const texts = [units && `[${units}]`, longName === name ? '' : longName]
      lines.push([writeName(name), ...texts].filter((text) => text !== '').join(' '))
    }
    return variables
  }

  async #readVariable(start: number) {
    let [type, dimensions, shape] = ['', nothing, nothing]
    let attributes: ReadonlyMap<string, string> = new Map()
    for await (const { name, ...value } of this.#json.list(start)) {
      if (name === 'dtype') type = writeLine(this.#readText(value, maxNameLength))
      else if (name === 'dims') dimensions = await this.#readFirst(value.start)
      else if (name === 'shape') shape = await this.#readFirst(value.start)
      else if (name === 'attrs') attributes = await this.#readAttributes(value.start)
    }
    const first = dimensions.first.map((name, index) => `${name} ${shape.first[index]}`)
    return {
      heading: `${type} ${writeSizes({ first, of: dimensions.of })}:`,
      units: attributes.get('units') ?? '',
      longName: attributes.get('long_name') ?? attributes.get('standard_name') ?? '',
    }
  }

  /** Reads the sizes of an object of dimensions. */
  async #readSizes(start: number): Promise<Beginning> {
    const first: string[] = []
    let of = 0
    for await (const { name, ...size } of this.#json.list(start)) {
      if (of++ < maxDimensions) first.push(`${writeName(name)} ${this.#json.read(size.start, size.end)}`)
    }
    return { first, of }
  }

  /** Reads a list of names or sizes. */
  async #readFirst(start: number): Promise<Beginning> {
    const first: string[] = []
    let of = 0
    for await (const entry of this.#json.list(start)) {
      if (of++ >= maxDimensions) continue
      const isName = this.#json.isText(entry.start)
      first.push(isName ? writeName(this.#readText(entry, maxNameLength)) : this.#json.read(entry.start, entry.end))
    }
    return { first, of }
  }

  /** Reads those attributes that are shown. */
  async #readAttributes(start: number): Promise<ReadonlyMap<string, string>> {
    const attributes = new Map<string, string>()
    for await (const { name, ...value } of this.#json.list(start)) {
      const maxLength = shownAttributes.get(name)
      if (maxLength !== undefined && this.#json.isText(value.start))
        attributes.set(name, writeLine(this.#readText(value, maxLength)))
    }
    return attributes
  }

  /** Reads the beginning of a text. */
  #readText({ start, end }: Span, maxLength: number): string {
    // A code point takes at most two escapes of six bytes. One more code point shows that the text was longer.
    const cut = this.#json.findCut(start, Math.min(end - 1, start + 12 * (maxLength + 1)))
    return shorten(String(JSON.parse(`${this.#json.read(start, cut)}"`)), maxLength)
  }
}

/** The first entries of a list, and the number of all. */
type Beginning = { readonly first: readonly string[]; readonly of: number }

const nothing: Beginning = { first: [], of: 0 }

function writeSizes({ first, of }: Beginning): string {
  const more = of > first.length ? [`${of - first.length} more`] : []
  return `(${[...first, ...more].join(', ')})`
}

/** Writes a name so that an agent can give it back, and so that it cannot be taken for other parts of its line. */
function writeName(name: string): string {
  const shown = shorten(name, maxNameLength)
  return /^[\p{L}\p{M}\p{N}_.+-]+$/u.test(shown) ? shown : JSON.stringify(shown)
}

/** Writes a text on one line. */
function writeLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
