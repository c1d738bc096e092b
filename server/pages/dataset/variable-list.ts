// The rows of a dataset's variables. One page may hold thousands, so a row's markup is short: <b> is a name with an index,
// <span> one without, <i> the dimensions, <code> the data type, <small> shape and size.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { formatBytes, multiplySizes } from '../../xarray/size.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { html, type Html } from '../html.ts'
import { clipText, clipValue, isLongList, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import { formatExtension, formatShape, maxShownDimensions, type Shown, type StoredArrays } from './storage-facts.ts'

export type VariableRow = {
  readonly name: string
  readonly isIndexed: boolean
  /** Null when they are not known, as for an array whose document cannot be read. */
  readonly dimensions: readonly (string | null)[] | null
  readonly shown: Shown | null
  readonly attributes: JsonObject
  readonly array: ArrayMetadata | null
}

/** The row of a variable that xarray decodes. */
export function makeDecodedRow(variable: DecodedVariable, array: ArrayMetadata | null): VariableRow {
  const { name, isIndexed, dimensions, shape, attributes, type } = variable
  const shown = { typeText: type.text, shape, itemBytes: type.itemBytes }
  return { name, isIndexed, dimensions, shown, attributes, array }
}

/** The row of a stored array in a group that xarray cannot decode. `array` is null when its document cannot be read either. */
export function makeStoredRow(name: string, array: ArrayMetadata | null): VariableRow {
  if (!array) return { name, isIndexed: false, dimensions: null, shown: null, attributes: new Map(), array }
  const { shape, attributes, dimensionNames: dimensions } = array
  const shown = { typeText: formatExtension(array.dataType), shape, itemBytes: null }
  return { name, isIndexed: false, dimensions, shown, attributes, array }
}

/** Bytes for the variables of one page: 2,000 of them with five attributes each take 1.4 MB. */
const variableBytesMax = 1_410_000

/** Longer names and texts of types are cut, in characters. */
const maxNameLength = 1_000
const maxTypeLength = 4_000

/** Number of details that may not fit before no more are tried, because trying thousands takes long. */
const maxMisses = 200

/** Renders the rows that fit as list items, in order. Names come before details: a row loses its details before a later row is left out. */
export function variableItems(rows: readonly VariableRow[], storedArrays: StoredArrays): Html[] {
  const budget = new PageBudget(variableBytesMax)
  const largest = findLargest(rows)
  const { rendered } = renderWithin(budget, rows, (row) => html`<li><p>${cells(row, largest)}</p></li>`)
  let misses = 0
  return rendered.map((bare, index) => {
    const row = rows[index]
    if (row === undefined || misses === maxMisses) return bare
    const details = renderDetails(row, budget.bytesLeft, storedArrays)
    if (!details || !budget.takes(details)) {
      misses += 1
      return bare
    }
    return html`<li>
      <details>
        <summary>${cells(row, largest)}</summary>
        ${row.array && storedArrays.drawings.show(row.array)}${details}
      </details>
    </li>`
  })
}

/**
 * The items as a list. When there are fewer than `count`, a note says how many are missing and, for a group with views, where to find them.
 */
export function variableList(items: readonly Html[], count: number, hasViews: boolean): Html {
  return html`<ul class="variables${isLongList(count) && ' long'}">
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

/** With more variables no bars are drawn, because the details of the variables need the room. */
const maxBars = 1_500

/** Bytes in memory, uncompressed: undefined when they are not known, null when they are more than any float. */
function countBytes(shown: Shown | null): bigint | null | undefined {
  return typeof shown?.itemBytes === 'number' ? multiplySizes(shown.shape, BigInt(shown.itemBytes)) : undefined
}

/** Bytes of the largest variable; 0 when no bars are drawn, which includes a variable larger than any float. */
function findLargest(rows: readonly VariableRow[]): number {
  if (rows.length > maxBars) return 0
  const sizes = rows.map(({ shown }) => countBytes(shown)).filter((bytes) => bytes !== undefined)
  return sizes.includes(null) ? 0 : Math.max(0, ...sizes.map(Number))
}

/** Bars that show a size as a part of the largest, by percent. There is no bar for 0. */
const bars = Array.from(
  { length: 101 },
  (_, percent) => percent > 0 && html`<svg aria-hidden="true"><rect width="${percent}%" /></svg>`,
)

function cells({ name, isIndexed, dimensions, shown }: VariableRow, largest: number): Html {
  const bytes = countBytes(shown)
  const bar = largest > 0 && bars[Math.round((100 * Number(bytes ?? 0)) / largest)]
  return html`${isIndexed ? html`<b>${name}</b>` : html`<span>${name}</span>`}
    <i>${dimensions && formatDimensions(dimensions)}</i>
    <code>${shown ? clipText(shown.typeText, maxTypeLength) : 'cannot be read'}</code>
    <small>${shown && shown.shape.length > 0 && formatShape(shown.shape)}</small>
    <small>${bytes !== undefined && formatBytes(bytes)}${bar}</small>`
}

/** `(time, y, x)`; an unnamed dimension prints as Python's None. */
function formatDimensions(dimensions: readonly (string | null)[]): string {
  const shown = dimensions.slice(0, maxShownDimensions).map((name) => clipText(name ?? 'None', maxNameLength))
  return `(${shown.join(', ')}${dimensions.length > maxShownDimensions ? ', …' : ''})`
}

/** Longer values are cut, in characters; the `dict` view has them in full. */
const maxValueLength = 4_000

/** Renders the attributes, as Python prints them, that fit into `maxBytes`, in stored order, and counts the others. */
export function attributeList(attributes: JsonObject, maxBytes: number) {
  const { rendered, leftOut } = renderWithin(
    new PageBudget(maxBytes),
    attributes,
    ([name, value]) =>
      html`<dt>${clipText(name, maxNameLength)}</dt>
        <dd>${clipValue(value, maxValueLength)}</dd>`,
  )
  return { list: html`<dl class="attributes">${rendered}</dl>`, leftOut }
}
