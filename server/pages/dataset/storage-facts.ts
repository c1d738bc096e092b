// How an array is stored: type, chunks, shards, codecs and fill value. The HTML representation of xarray does not show
// this.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { ArrayMetadata, NamedConfiguration } from '@floe/storage/zarr'
import { hasDistantReference } from '../../xarray/cf/times.ts'
import { formatBytes, multiplySizes } from '../../xarray/size.ts'
import { listReaderNeeds } from '../../xarray/zarr-python/reader-needs.ts'
import { html, type Html } from '../html.ts'
import { clipText, clipValue } from '../page-budget.ts'
import { GridDrawings } from './drawings/grid-drawings.ts'

type Fact = readonly [label: string, text: string]

/** An array as the page shows it. Decoding can change the data type, and the shape of character arrays. */
export type ShownArray = {
  readonly typeText: string
  readonly shape: readonly bigint[]
  /** Bytes of one element in memory; null when unknown. */
  readonly itemBytes: number | null
  /** Bytes of one element as stored, before compression; null when unknown, or when elements differ. */
  readonly storedItemBytes: number | null
  /** Attributes that decoding has consumed. */
  readonly encoding: JsonObject
}

/**
 * Shows how the arrays of a page are stored, as a list of facts and as a drawing. Arrays whose documents differ only in
 * their attributes share both, because that is true of most arrays of a dataset.
 */
export class StorageFacts {
  readonly drawings = new GridDrawings()
  /** The last list for each document without attributes. `key` tells for which decoded form it was made. */
  readonly #lists = new Map<JsonObject, { readonly key: string; readonly list: Html }>()

  /** Renders the facts about an array. */
  renderList(array: ArrayMetadata, shown: ShownArray): Html {
    const { typeText, shape, itemBytes, encoding } = shown
    const key = `${typeText} ${itemBytes} ${shape.join()} ${JSON.stringify(listEncoding(encoding))}`
    const cached = this.#lists.get(array.document)
    if (cached?.key === key) return cached.list
    const facts = listStorageFacts(array, shown)
    const list = html`<dl class="storage">
      ${facts.map(
        ([label, text]) =>
          html`<dt>${label}</dt>
            <dd>${text}</dd>`,
      )}
    </dl>`
    this.#lists.set(array.document, { key, list })
    return list
  }
}

const maxFillLength = 200

/**
 * Lists the shape; the stored type and shape, and attributes, that decoding changes; chunks, shards, codecs, fill
 * value.
 */
export function listStorageFacts(array: ArrayMetadata, shown: ShownArray): Fact[] {
  const facts: Fact[] = []
  if (shown.shape.length > 0) facts.push(['Shape', formatShape(shown.shape)])
  const storedType = formatExtension(array.dataType)
  if (storedType !== shown.typeText) facts.push(['Stored as', storedType])
  if (formatShape(array.shape) !== formatShape(shown.shape)) facts.push(['Stored shape', formatShape(array.shape)])
  facts.push(...listEncoding(shown.encoding))
  if (shown.typeText === 'datetime64[ns]' && hasDistantReference(shown.encoding.get('units'))) {
    facts.push(['Dates', 'object in xarray, if the first or last date is before 1678 or after 2261'])
  }
  facts.push(...describeGrid(array, shown))
  if (array.codecs.length > 0) facts.push(['Codecs', formatCodecs(array.codecs)])
  const needs = listReaderNeeds(array)
  if (needs.length > 0) facts.push(['Readers need', formatNeeds(needs)])
  // An empty text is shown as `''`.
  facts.push(['Fill value', clipValue(array.fillValue, maxFillLength) || "''"])
  return facts
}

/** Lists the attributes that say how values are stored, such as `scale_factor`, and the `units` of times. */
function listEncoding(encoding: JsonObject): Fact[] {
  return [...encoding].map(([name, value]) => {
    // The decoded attribute has an empty list for NaN.
    const isNaN = name === '_FillValue' && isJsonArray(value) && value.length === 0
    return [name, isNaN ? 'nan' : clipValue(value, maxFillLength)]
  })
}

const maxNeeds = 20
const maxNeedLength = 200

/** Lists what readers need beside zarr-python. */
export function formatNeeds(needs: readonly string[]): string {
  const more = needs.length > maxNeeds ? [`${(needs.length - maxNeeds).toLocaleString('en')} more`] : []
  return [...needs.slice(0, maxNeeds).map((need) => clipText(need, maxNeedLength)), ...more].join(', ')
}

/** Longest text of the sizes of a rectilinear grid, in characters. */
const maxSizesLength = 1_000

/** Whether the chunks of an array are stored in shards. */
export function isSharded({ codecs }: ArrayMetadata): boolean {
  return codecs.some(({ name }) => name === 'sharding_indexed')
}

function describeGrid(array: ArrayMetadata, shown: ShownArray): Fact[] {
  const { chunkGrid } = array
  const sizes = chunkGrid.name === 'rectilinear' ? chunkGrid.configuration.get('chunk_shapes') : undefined
  const varyingSizes = sizes === undefined ? formatExtension(chunkGrid) : `sizes ${clipValue(sizes, maxSizesLength)}`
  if (!array.chunkShape) return [['Chunks', varyingSizes]]
  // Decoding may join characters along a dimension. A decoded element is then several stored ones.
  const decoded = array.shape.length === shown.shape.length ? shown.itemBytes : null
  const itemBytes = { stored: shown.storedItemBytes, decoded }
  const facts: Fact[] = [['Chunks', formatChunks(array.shape, array.chunkShape, itemBytes)]]
  if (array.shardShape) facts.push(['Shards', formatChunks(array.shape, array.shardShape, itemBytes)])
  else if (chunkGrid.name !== 'regular') facts.push(['Shards', varyingSizes])
  return facts
}

/** Maximum number of dimensions that are shown. numpy allows 64; a document can list far more. */
export const maxShownDimensions = 100

function formatShape(shape: readonly bigint[]): string {
  return `(${shape.slice(0, maxShownDimensions).join(', ')}${shape.length > maxShownDimensions ? ', …' : ''})`
}

/**
 * Counts the chunks of an array, with partial ones. Null when the shapes do not match, or the number exceeds any float.
 */
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
 * `(24, 721, 1440) · 61 × 50MB uncompressed, 199MB decoded`: shape, number and size of the chunks, and their decoded
 * size if it differs. Unknown sizes are left out.
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

/** Parameters that are shown of well-known codecs. Of other codecs, all parameters are shown. */
const shownParameters: ReadonlyMap<string, readonly string[]> = new Map([
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
  const more = codecs.length > maxCodecs ? [`… (${(codecs.length - maxCodecs).toLocaleString('en')} more)`] : []
  return [...texts, ...more].join(' → ')
}

/** `zstd(level=5)`: a codec, data type or chunk grid with its parameters. */
export function formatExtension({ name, configuration }: NamedConfiguration): string {
  if (name === 'sharding_indexed') return `${name}[${formatCodecs(readInnerCodecs(configuration))}]`
  const parameters = formatParameters(name, configuration)
  const text = parameters.length === 0 ? name : `${name}(${parameters.join(', ')})`
  return clipText(text, maxCodecLength)
}

function formatParameters(name: string, configuration: JsonObject): string[] {
  const shown = shownParameters.get(name)
  return (
    configuration
      .entries()
      .filter(([key]) => shown?.includes(key) ?? true)
      // Each takes more than one character of the text, so more would not fit.
      .take(maxCodecLength)
      .map(([key, value]) => `${clipText(key, maxCodecLength)}=${clipValue(value, maxCodecLength)}`)
      .toArray()
  )
}

function readInnerCodecs(configuration: JsonObject): NamedConfiguration[] {
  const codecs = configuration.get('codecs')
  return isJsonArray(codecs) ? codecs.flatMap(readNamedConfiguration) : []
}

/** Reads a codec. In the Zarr specification, a codec without configuration can be just its name. */
function readNamedConfiguration(value: JsonValue): NamedConfiguration[] {
  if (typeof value === 'string') return [{ name: value, configuration: new Map() }]
  const name = isJsonObject(value) ? value.get('name') : undefined
  const configuration = isJsonObject(value) ? value.get('configuration') : undefined
  return typeof name === 'string'
    ? [{ name, configuration: isJsonObject(configuration) ? configuration : new Map() }]
    : []
}
