// The rows of a dataset's variables. A page may have thousands, so the markup of a row is short: <b> is a name with an
// index, <span> a name without; <small> the description, the written chunks, and the size; <i> the dimensions; <code>
// the data type.
import type { ArrayGaps } from '@floe/contract'
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { formatBytes, multiplySizes } from '../../xarray/size.ts'
import { gapStrip } from '../gaps/gap-strip.ts'
import { attributeList } from '../parts/attribute-list.ts'
import { html, type Html } from '../html.ts'
import { clipText, isLongList, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import { makeVariableId } from '../page-links.ts'
import { type ChunkCount, describeWritten, isIncomplete, uncountedTexts } from '../parts/written-chunks.ts'
import type { StatedRange } from './stated-range.ts'
import { describeStoredUnits } from './stored-units.ts'
import { formatExtension, isSharded, maxShownDimensions, type ShownArray, type StorageFacts } from './storage-facts.ts'

/** What the row of a variable shows. */
export type VariableRow = {
  readonly name: string
  readonly isIndexed: boolean
  /** Null when unknown, as for an array whose document cannot be read. */
  readonly dimensions: readonly (string | null)[] | null
  /** Null when the document of the array cannot be read. */
  readonly shown: ShownArray | null
  readonly attributes: JsonObject
  /** The stored array; null when its document cannot be read. */
  readonly array: ArrayMetadata | null
  readonly range: StatedRange | undefined
  readonly chunks: ChunkCount | undefined
  /** Where chunks are not written; undefined if that was not read, or all are. */
  readonly gaps: ArrayGaps | undefined
}

/** Makes the row of a variable that xarray decodes. */
export function makeDecodedRow(
  variable: DecodedVariable,
  array: ArrayMetadata | null,
  { range, chunks, gaps }: Pick<VariableRow, 'range' | 'chunks' | 'gaps'>,
): VariableRow {
  const { name, isIndexed, dimensions, shape, attributes, type, storedItemBytes, encoding } = variable
  const shown = { typeText: type.text, shape, itemBytes: type.itemBytes, storedItemBytes, encoding }
  return { name, isIndexed, dimensions, shown, attributes, array, range, chunks, gaps }
}

/**
 * Makes the row of an array in a group that xarray cannot decode. `array` is null when its document cannot be read
 * either.
 */
export function makeStoredRow(
  name: string,
  array: ArrayMetadata | null,
  { chunks, gaps }: Pick<VariableRow, 'chunks' | 'gaps'>,
): VariableRow {
  const unknown = {
    name,
    isIndexed: false,
    dimensions: null,
    shown: null,
    attributes: new Map(),
    range: undefined,
    chunks,
    gaps,
  }
  if (!array) return { ...unknown, array }
  const { shape, attributes, dimensionNames: dimensions } = array
  const typeText = formatExtension(array.dataType)
  const shown = { typeText, shape, itemBytes: null, storedItemBytes: null, encoding: new Map() }
  return { ...unknown, dimensions, shown, attributes, array }
}

/** Maximum size of the variables of a page, in bytes: 1,700 of them with five attributes each take 1.4 MB. */
const maxVariableBytes = 1_385_000

/** Longer names and texts of types are cut, in characters. */
const maxNameLength = 1_000
const maxTypeLength = 4_000

/** After this number of rows whose details do not fit, no more are tried, because trying thousands takes long. */
const maxMisses = 200

/** Maximum size of the strips of a page, in bytes. */
const maxStripBytes = 100_000

/** Build the addresses of the history and of the gaps of a variable. */
export type VariableLinks = { readonly history: (name: string) => string; readonly gaps: (name: string) => string }

/**
 * Renders the rows that fit, as list items. Names are more important than details: rows lose their details before any
 * row is left out.
 */
export function variableItems(rows: readonly VariableRow[], storageFacts: StorageFacts, links: VariableLinks): Html[] {
  const budget = new PageBudget(maxVariableBytes)
  const largest = findLargest(rows)
  const isFull = rows.length <= maxFullRows
  const line = (row: VariableRow) => cells(row, largest, isFull)
  const strips = renderStrips(isFull ? rows : [])
  const strip = (row: VariableRow) => strips.get(row)
  const { rendered } = renderWithin(
    budget,
    rows,
    (row) =>
      html`<li id="${makeVariableId(row.name)}">
        <p>${line(row)}</p>
        ${strip(row)}
      </li>`,
  )
  let misses = 0
  return rendered.map((withoutDetails, index) => {
    const row = rows[index]
    if (row === undefined || misses === maxMisses) return withoutDetails
    const facts = renderDetails(row, budget.bytesLeft, storageFacts)
    const details = facts && html`${facts}${isFull && rowLinks(row, links)}`
    if (!details || !budget.trySpend(details)) {
      misses += 1
      return withoutDetails
    }
    return html`<li id="${makeVariableId(row.name)}">
      <details>
        <summary>${line(row)}</summary>
        ${row.array && storageFacts.drawings.show(row.array)}${details}
      </details>
      ${strip(row)}
    </li>`
  })
}

/** Renders the strips that fit. They stand below the row, so that they show before it is unfolded. */
function renderStrips(rows: readonly VariableRow[]): ReadonlyMap<VariableRow, Html> {
  const budget = new PageBudget(maxStripBytes)
  const strips = new Map<VariableRow, Html>()
  for (const row of rows) {
    const strip = row.gaps && gapStrip(row.gaps)
    if (strip && budget.trySpend(strip)) strips.set(row, strip)
  }
  return strips
}

/** Buttons that sort the list below them. They need `assets/sort.js`, which makes them visible. */
const columnHeads = html`<div class="columns" role="group" aria-label="Sort by" data-sort hidden>
  ${['Name', 'Description', 'Dimensions', 'Type', 'Written', 'Size'].map(
    (name) => html`<button type="button" aria-pressed="false">${name} <span class="spoken"></span></button>`,
  )}
</div>`

/**
 * The items as a list. If there are fewer than `count`, a note says how many are missing; and where they are, if the
 * group has JSON views.
 */
export function variableList(items: readonly Html[], count: number, hasViews: boolean): Html {
  return html`${items.length > 1 && columnHeads}
    <ul class="variables${isLongList(count) && ' long'}">
      ${items}
    </ul>
    ${moreNote(count - items.length, hasViews ? 'are in the info and dict views.' : 'are not shown.')}`
}

/** Undefined when there are no details, or more than fit into `maxBytes`. */
function renderDetails(
  { attributes, array, shown, chunks }: VariableRow,
  maxBytes: number,
  storageFacts: StorageFacts,
): Html | undefined {
  const { list, leftOut } = attributeList(attributes, maxBytes)
  if (leftOut > 0 || (attributes.size === 0 && array === null)) return undefined
  return html`${attributes.size > 0 && list}${array && shown && storageFacts.renderList(array, shown)}${
    typeof chunks === 'string' &&
    html`<p class="note">It is unknown how many chunks are written: ${uncountedTexts[chunks]}.</p>`
  }`
}

/** `assets/last-changes.js` adds when the variable was changed last. */
function rowLinks({ name, chunks }: VariableRow, links: VariableLinks): Html {
  const gaps = isIncomplete(chunks) && html`<a href="${links.gaps(name)}" rel="nofollow">Gaps</a> · `
  return html`<p class="changed">${gaps}<a href="${links.history(name)}" rel="nofollow">History</a></p>`
}

/**
 * With more variables, rows have neither bars nor descriptions nor links nor `all written`, because details are more
 * important.
 */
const maxFullRows = 1_500

/** Counts the bytes in memory: undefined when unknown, null when they exceed any float. */
function countBytes(shown: ShownArray | null): bigint | null | undefined {
  return typeof shown?.itemBytes === 'number' ? multiplySizes(shown.shape, BigInt(shown.itemBytes)) : undefined
}

/** Returns the bytes of the largest variable; 0 when no bars are drawn, as for a variable that exceeds any float. */
function findLargest(rows: readonly VariableRow[]): number {
  if (rows.length > maxFullRows) return 0
  const sizes = rows.map(({ shown }) => countBytes(shown)).filter((bytes) => bytes !== undefined)
  return sizes.includes(null) ? 0 : Math.max(0, ...sizes.map(Number))
}

/** Bars by their length in percent. */
const bars = Array.from(
  { length: 101 },
  (_, percent) => html`<svg aria-hidden="true"><rect width="${percent}%" /></svg>`,
)

/** Shorter bars look like dirt, in percent. */
const shortestBar = 5

/** A bar with the size in percent of the largest, unless it would be too short. */
function sizeBar(bytes: number, largest: number): Html | false {
  const percent = largest > 0 ? Math.round((100 * bytes) / largest) : 0
  return percent >= shortestBar && (bars[percent] ?? false)
}

/** A bar with the share of the chunks that are written, if some are not. */
function writtenBar(chunks: ChunkCount | undefined): Html | false {
  return isIncomplete(chunks) && (bars[Math.floor((100 * chunks.written) / chunks.total)] ?? false)
}

/** The columns of a row. */
function cells(row: VariableRow, largest: number, isFull: boolean): Html {
  const { name, isIndexed, dimensions, shown, array, chunks } = row
  const written =
    (isFull || typeof chunks === 'string' || isIncomplete(chunks)) &&
    describeWritten(chunks, array && isSharded(array) ? 'shard' : 'chunk')
  const bytes = countBytes(shown)
  return html`${isIndexed ? html`<b>${name}</b>` : html`<span>${name}</span>`}
    <small>${isFull && describeVariable(row)}</small>
    <i>${dimensions && formatDimensions(dimensions)}</i>
    <code>${shown ? clipText(shown.typeText, maxTypeLength) : 'cannot be read'}</code>
    <small>${written}${writtenBar(chunks)}</small>
    <small>${bytes !== undefined && formatBytes(bytes)}${sizeBar(Number(bytes ?? 0), largest)}</small>`
}

const maxDescriptionLength = 120
const maxUnitsLength = 40

/**
 * `2 metre temperature [K]`; for times the units in which they are stored; for a coordinate also its range:
 * `[degrees_north] 35.0 to 72.5`.
 */
function describeVariable({ name, attributes, shown, range }: VariableRow): string {
  const read = (attribute: string, maxLength: number) => {
    const value = attributes.get(attribute)
    return typeof value === 'string' && value !== '' ? clipText(value, maxLength) : undefined
  }
  const units = read('units', maxUnitsLength) ?? (shown && describeStoredUnits(shown.encoding))
  const longName = read('long_name', maxDescriptionLength) ?? read('standard_name', maxDescriptionLength)
  return [longName === name ? undefined : longName, units && `[${units}]`, range?.text]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** `(time, y, x)`. An unnamed dimension is shown as Python's `None`. */
function formatDimensions(dimensions: readonly (string | null)[]): string {
  const names = dimensions.slice(0, maxShownDimensions).map((name) => clipText(name ?? 'None', maxNameLength))
  return `(${names.join(', ')}${dimensions.length > maxShownDimensions ? ', …' : ''})`
}
