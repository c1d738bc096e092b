// How an array is stored, in the words of the page: type, chunks, shards, codecs and fill value. xarray's own page does not show this.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { ArrayMetadata, NamedConfiguration } from '@floe/storage/zarr'
import { formatBytes, multiplySizes } from '../../xarray/size.ts'
import { html, type Html } from '../html.ts'
import { clipText, clipValue } from '../page-budget.ts'
import { GridDrawings } from './drawings/grid-drawings.ts'

type Fact = readonly [label: string, text: string]

/** What the page already shows of the array. Decoding can change the data type, and the shape of character arrays. */
export type Shown = {
  readonly typeText: string
  readonly shape: readonly bigint[]
  /** Bytes of one element in memory; null when they are not known. */
  readonly itemBytes: number | null
  /** Bytes of one element as stored, before compression; null when they are not known or differ. */
  readonly storedItemBytes: number | null
  /** Attributes that decoding has consumed. */
  readonly encoding: JsonObject
}

/**
 * How the arrays of a page are stored, as facts and as a drawing. Arrays whose documents differ only in their attributes share both,
 * because most arrays of a dataset do.
 */
export class StoredArrays {
  readonly drawings = new GridDrawings()
  /** By document without attributes: the last list made for it, and what the page showed of the array. */
  readonly #lists = new Map<JsonObject, { readonly shown: string; readonly list: Html }>()

  listFacts(array: ArrayMetadata, given: Shown): Html {
    const { typeText, shape, itemBytes, encoding } = given
    const shown = `${typeText} ${itemBytes} ${shape.join()} ${JSON.stringify(listEncoding(encoding))}`
    const known = this.#lists.get(array.document)
    if (known?.shown === shown) return known.list
    const facts = listStorageFacts(array, given)
    const list = html`<dl class="storage">
      ${facts.map(
        ([label, text]) =>
          html`<dt>${label}</dt>
            <dd>${text}</dd>`,
      )}
    </dl>`
    this.#lists.set(array.document, { shown, list })
    return list
  }
}

const maxFillLength = 200

/** Shape, then what decoding changes: type, shape and consumed attributes; then chunks, shards, codecs, fill value. */
export function listStorageFacts(array: ArrayMetadata, shown: Shown): Fact[] {
  const facts: Fact[] = []
  if (shown.shape.length > 0) facts.push(['Shape', formatShape(shown.shape)])
  const storedType = formatExtension(array.dataType)
  if (storedType !== shown.typeText) facts.push(['Stored as', storedType])
  if (formatShape(array.shape) !== formatShape(shown.shape)) facts.push(['Stored shape', formatShape(array.shape)])
  facts.push(...listEncoding(shown.encoding), ...describeGrid(array, shown))
  if (array.codecs.length > 0) facts.push(['Codecs', formatCodecs(array.codecs)])
  // `''` makes an empty text visible.
  facts.push(['Fill value', clipValue(array.fillValue, maxFillLength) || "''"])
  return facts
}

/** The attributes that say how values are stored, such as `scale_factor` and the `units` of times, under their own names. */
function listEncoding(encoding: JsonObject): Fact[] {
  return [...encoding].map(([name, value]) => {
    // Decoding leaves an empty list for NaN.
    const isNaN = name === '_FillValue' && isJsonArray(value) && value.length === 0
    return [name, isNaN ? 'nan' : clipValue(value, maxFillLength)]
  })
}

function describeGrid(array: ArrayMetadata, shown: Shown): Fact[] {
  if (!array.chunkShape) return [['Chunks', formatExtension(array.chunkGrid)]]
  // Characters are joined along a dimension, so that a decoded element is several stored ones.
  const decoded = array.shape.length === shown.shape.length ? shown.itemBytes : null
  const itemBytes = { stored: shown.storedItemBytes, decoded }
  const facts: Fact[] = [['Chunks', formatChunks(array.shape, array.chunkShape, itemBytes)]]
  if (array.shardShape) facts.push(['Shards', formatChunks(array.shape, array.shardShape, itemBytes)])
  return facts
}

/** numpy has at most 64; a document may list far more. */
export const maxShownDimensions = 100

function formatShape(shape: readonly bigint[]): string {
  return `(${shape.slice(0, maxShownDimensions).join(', ')}${shape.length > maxShownDimensions ? ', …' : ''})`
}

/** Counts the chunks that cover an array, with partial ones; null when the shapes do not match or the number exceeds any float. */
export function countChunks(shape: readonly bigint[], chunkShape: readonly bigint[]): bigint | null {
  if (shape.length !== chunkShape.length || chunkShape.includes(0n)) return null
  return multiplySizes(
    shape.map((size, axis) => {
      const chunk = chunkShape[axis] ?? 1n
      return (size + chunk - 1n) / chunk
    }),
  )
}

/**
 * `(24, 721, 1440) · 61 × 50MB uncompressed, 199MB decoded`: shape, number and size of the chunks, and the decoded size where it differs. What
 * is not known of an element is left out.
 */
export function formatChunks(
  shape: readonly bigint[],
  chunkShape: readonly bigint[],
  { stored, decoded }: { readonly stored: number | null; readonly decoded: number | null },
): string {
  const count = countChunks(shape, chunkShape)
  if (count === null) return formatShape(chunkShape)
  const counted = `${formatShape(chunkShape)} · ${count.toLocaleString('en')}`
  if (stored === null) return counted
  const size = (itemBytes: number) => formatBytes(multiplySizes(chunkShape, BigInt(itemBytes)))
  const isDecoded = decoded !== null && decoded !== stored
  return `${counted} × ${size(stored)} uncompressed${isDecoded ? `, ${size(decoded)} decoded` : ''}`
}

/** Settings of well-known codecs that a reader may want. Other codecs show every setting. */
const tellingParameters: ReadonlyMap<string, readonly string[]> = new Map([
  ['bytes', ['endian']],
  ['blosc', ['cname', 'clevel', 'shuffle']],
  ['crc32c', []],
  ['gzip', ['level']],
  ['transpose', ['order']],
  ['vlen-bytes', []],
  ['vlen-utf8', []],
  ['zstd', ['level']],
])

const maxCodecLength = 200
/** Maximum number of shown codecs; the others are counted. */
const maxCodecs = 100

/** Codecs in the order in which a writer applies them, such as `bytes(endian=little) → zstd(level=5)`. */
export function formatCodecs(codecs: readonly NamedConfiguration[]): string {
  const texts = codecs.slice(0, maxCodecs).map(formatExtension)
  const rest = codecs.length > maxCodecs ? [`… (${(codecs.length - maxCodecs).toLocaleString('en')} more)`] : []
  return [...texts, ...rest].join(' → ')
}

export function formatExtension({ name, configuration }: NamedConfiguration): string {
  if (name === 'sharding_indexed') return `${name}[${formatCodecs(readInnerCodecs(configuration))}]`
  const parameters = formatParameters(name, configuration)
  const text = parameters.length === 0 ? name : `${name}(${parameters.join(', ')})`
  return clipText(text, maxCodecLength)
}

function formatParameters(name: string, configuration: JsonObject): string[] {
  const telling = tellingParameters.get(name)
  // More would not fit into the text.
  return configuration
    .entries()
    .filter(([key]) => telling?.includes(key) ?? true)
    .take(maxCodecLength)
    .map(([key, value]) => `${clipText(key, maxCodecLength)}=${clipValue(value, maxCodecLength)}`)
    .toArray()
}

function readInnerCodecs(configuration: JsonObject): NamedConfiguration[] {
  const codecs = configuration.get('codecs')
  return isJsonArray(codecs) ? codecs.flatMap(readNamedConfiguration) : []
}

/** The Zarr specification lets a codec without configuration be its bare name. */
function readNamedConfiguration(value: JsonValue): NamedConfiguration[] {
  if (typeof value === 'string') return [{ name: value, configuration: new Map() }]
  const name = isJsonObject(value) ? value.get('name') : undefined
  const configuration = isJsonObject(value) ? value.get('configuration') : undefined
  return typeof name === 'string'
    ? [{ name, configuration: isJsonObject(configuration) ? configuration : new Map() }]
    : []
}
