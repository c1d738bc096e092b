// The rows of a dataset's variables. One page may hold thousands, so a row's markup is short: <b> is a name with an index,
// <span> one without, <small> what it is and its size, <i> the dimensions, <code> the data type.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { formatBytes, multiplySizes } from '../../xarray/size.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { attributeList } from '../attribute-list.ts'
import { html, type Html } from '../html.ts'
import { clipText, isLongList, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import { anchorVariable } from '../page-links.ts'
import type { StatedRange } from './stated-range.ts'
import { formatExtension, maxShownDimensions, type Shown, type StoredArrays } from './storage-facts.ts'

export type VariableRow = {
  readonly name: string
  readonly isIndexed: boolean
  /** Null when they are not known, as for an array whose document cannot be read. */
  readonly dimensions: readonly (string | null)[] | null
  readonly shown: Shown | null
  readonly attributes: JsonObject
  readonly array: ArrayMetadata | null
  readonly range: StatedRange | undefined
}

/** The row of a variable that xarray decodes. */
export function makeDecodedRow(
  variable: DecodedVariable,
  array: ArrayMetadata | null,
  range?: StatedRange,
): VariableRow {
  const { name, isIndexed, dimensions, shape, attributes, type, storedItemBytes, encoding } = variable
  const shown = { typeText: type.text, shape, itemBytes: type.itemBytes, storedItemBytes, encoding }
  return { name, isIndexed, dimensions, shown, attributes, array, range }
}

/** The row of a stored array in a group that xarray cannot decode. `array` is null when its document cannot be read either. */
export function makeStoredRow(name: string, array: ArrayMetadata | null): VariableRow {
  const unknown = { name, isIndexed: false, dimensions: null, shown: null, attributes: new Map(), range: undefined }
  if (!array) return { ...unknown, array }
  const { shape, attributes, dimensionNames: dimensions } = array
  const typeText = formatExtension(array.dataType)
  const shown = { typeText, shape, itemBytes: null, storedItemBytes: null, encoding: new Map() }
  return { ...unknown, dimensions, shown, attributes, array }
}

/** Bytes for the variables of one page: 1,700 of them with five attributes each take 1.4 MB. */
const variableBytesMax = 1_385_000

/** Longer names and texts of types are cut, in characters. */
const maxNameLength = 1_000
const maxTypeLength = 4_000

/** Number of details that may not fit before no more are tried, because trying thousands takes long. */
const maxMisses = 200

/** Renders the rows that fit as list items, in order. Names come before details: a row loses its details before a later row is left out. */
export function variableItems(rows: readonly VariableRow[], storedArrays: StoredArrays): Html[] {
  const budget = new PageBudget(variableBytesMax)
  const largest = findLargest(rows)
  const isFull = rows.length <= maxFullRows
  const line = (row: VariableRow) => cells(row, largest, isFull ? describe(row) : '')
  const { rendered } = renderWithin(
    budget,
    rows,
    (row) => html`<li id="${anchorVariable(row.name)}"><p>${line(row)}</p></li>`,
  )
  let misses = 0
  return rendered.map((bare, index) => {
    const row = rows[index]
    if (row === undefined || misses === maxMisses) return bare
    const details = renderDetails(row, budget.bytesLeft, storedArrays)
    if (!details || !budget.takes(details)) {
      misses += 1
      return bare
    }
    return html`<li id="${anchorVariable(row.name)}">
      <details>
        <summary>${line(row)}</summary>
        ${row.array && storedArrays.drawings.show(row.array)}${details}
      </details>
    </li>`
  })
}

/** `assets/sort.js` unhides the names of the columns, which sort the list below them. */
const columnHeads = html`<div class="columns" role="group" aria-label="Sort by" data-sort hidden>
  ${['Name', 'Description', 'Dimensions', 'Type', 'Size'].map(
    (name) => html`<button type="button" aria-pressed="false">${name} <span class="spoken"></span></button>`,
  )}
</div>`

/**
 * The items as a list. When there are fewer than `count`, a note says how many are missing and, for a group with views, where to find them.
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
  { attributes, array, shown }: VariableRow,
  maxBytes: number,
  storedArrays: StoredArrays,
): Html | undefined {
  const { list, leftOut } = attributeList(attributes, maxBytes)
  if (leftOut > 0 || (attributes.size === 0 && array === null)) return undefined
  return html`${attributes.size > 0 && list}${array && shown && storedArrays.listFacts(array, shown)}`
}

/** With more variables rows have neither bars nor descriptions, because the details of the variables need the room. */
const maxFullRows = 1_500

/** Bytes in memory, uncompressed: undefined when they are not known, null when they are more than any float. */
function countBytes(shown: Shown | null): bigint | null | undefined {
  return typeof shown?.itemBytes === 'number' ? multiplySizes(shown.shape, BigInt(shown.itemBytes)) : undefined
}

/** Bytes of the largest variable; 0 when no bars are drawn, which includes a variable larger than any float. */
function findLargest(rows: readonly VariableRow[]): number {
  if (rows.length > maxFullRows) return 0
  const sizes = rows.map(({ shown }) => countBytes(shown)).filter((bytes) => bytes !== undefined)
  return sizes.includes(null) ? 0 : Math.max(0, ...sizes.map(Number))
}

/** Bars that show a size as a part of the largest, by percent. There is no bar for 0. */
const bars = Array.from(
  { length: 101 },
  (_, percent) => percent > 0 && html`<svg aria-hidden="true"><rect width="${percent}%" /></svg>`,
)

function cells({ name, isIndexed, dimensions, shown }: VariableRow, largest: number, description: string): Html {
  const bytes = countBytes(shown)
  const bar = largest > 0 && bars[Math.round((100 * Number(bytes ?? 0)) / largest)]
  return html`${isIndexed ? html`<b>${name}</b>` : html`<span>${name}</span>`}
    <small>${description}</small>
    <i>${dimensions && formatDimensions(dimensions)}</i>
    <code>${shown ? clipText(shown.typeText, maxTypeLength) : 'cannot be read'}</code>
    <small>${bytes !== undefined && formatBytes(bytes)}${bar}</small>`
}

const maxDescriptionLength = 120
const maxUnitsLength = 40

/** `2 metre temperature [K]`; for a coordinate also its range: `[degrees_north] 35.0 to 72.5`. */
function describe({ name: ownName, attributes, range }: VariableRow): string {
  const read = (name: string, maxLength: number) => {
    const value = attributes.get(name)
    return typeof value === 'string' && value !== '' ? clipText(value, maxLength) : undefined
  }
  const units = read('units', maxUnitsLength)
  const name = read('long_name', maxDescriptionLength) ?? read('standard_name', maxDescriptionLength)
  return [name === ownName ? undefined : name, units && `[${units}]`, range?.text]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** `(time, y, x)`; an unnamed dimension prints as Python's None. */
function formatDimensions(dimensions: readonly (string | null)[]): string {
  const shown = dimensions.slice(0, maxShownDimensions).map((name) => clipText(name ?? 'None', maxNameLength))
  return `(${shown.join(', ')}${dimensions.length > maxShownDimensions ? ', …' : ''})`
}
