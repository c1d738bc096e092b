// The rows of a dataset's variables. One page may hold thousands, so a row's markup is short: <b> is a name with an index,
// <span> one without, <i> the dimensions, <code> the data type, <small> shape and size.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { formatBytes, multiplySizes } from '../../xarray/size.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { wholeAttributeList } from './attribute-list.ts'
import { html, type Html } from '../html.ts'
import { clipText, isLongList, PageBudget, renderWithin } from '../page-budget.ts'
import { formatExtension, formatShape, maxShownDimensions, type Shown } from './storage-facts.ts'
import type { StoredArrays } from './stored-arrays.ts'

/** One variable, as a page shows it. Null means not known. */
export type VariableRow = {
  readonly name: string
  readonly isIndexed: boolean
  readonly dimensions: readonly (string | null)[] | null
  readonly typeText: string | null
  readonly shape: readonly bigint[] | null
  readonly size: RowSize | null
  readonly attributes: JsonObject
  /** The stored array, and what the row shows of it. */
  readonly stored: { readonly array: ArrayMetadata; readonly shown: Shown } | null
}

/** Bytes in memory, uncompressed. `bytes` is null when they are more than any float. */
type RowSize = { readonly bytes: bigint | null; readonly text: string }

/** The row of a variable that xarray decodes, with facts about its stored array. */
export function makeDecodedRow(variable: DecodedVariable, array: ArrayMetadata | undefined): VariableRow {
  const { name, isIndexed, dimensions, shape, attributes, type } = variable
  const bytes = multiplySizes(shape, BigInt(type.itemBytes))
  return {
    name,
    isIndexed,
    dimensions,
    typeText: type.text,
    shape,
    size: { bytes, text: formatBytes(bytes) },
    attributes,
    stored: array ? { array, shown: { typeText: type.text, shape, itemBytes: type.itemBytes } } : null,
  }
}

/** The row of a stored array in a group that xarray cannot decode. `array` is null when its document cannot be read either. */
export function makeStoredRow(name: string, array: ArrayMetadata | null): VariableRow {
  if (!array) return { ...unknownRow, name }
  const { shape, attributes } = array
  const typeText = formatExtension(array.dataType)
  const stored = { array, shown: { typeText, shape, itemBytes: null } }
  return { ...unknownRow, name, dimensions: array.dimensionNames, typeText, shape, attributes, stored }
}

const unknownRow = {
  isIndexed: false,
  dimensions: null,
  typeText: null,
  shape: null,
  size: null,
  attributes: new Map(),
  stored: null,
} as const

/** Bytes for the variables of one page: 2,000 of them with five attributes each take 1.4 MB. */
const variableBytesMax = 1_410_000

/** Longer names of dimensions and texts of types are cut, in characters. */
const maxNameLength = 1_000
const maxTypeLength = 4_000

/** Details that did not fit, after which no more are tried: trying thousands takes long. */
const maxMisses = 200

/**
 * List items of as many rows as fit, in order. Names come before details: a row loses its details before a later row is
 * left out.
 */
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
        ${row.stored && storedArrays.drawings.show(row.stored.array)}${details}
      </details>
    </li>`
  })
}

/**
 * The items as a list. When there are fewer than `count`, a note says how many are missing and, for a group with views, where to find them.
 */
export function variableList(items: readonly Html[], count: number, hasViews: boolean): Html {
  const leftOut = count - items.length
  return html`<ul class="variables${isLongList(count) && ' long'}">
      ${items}
    </ul>
    ${
      leftOut > 0 &&
      html`<p class="note">
        ${leftOut.toLocaleString('en')} more are ${hasViews ? 'in the info and dict views' : 'not shown'}.
      </p>`
    }`
}

/** Undefined when there are no details, or more than fit into `maxBytes`. */
function renderDetails(
  { attributes, stored }: VariableRow,
  maxBytes: number,
  storedArrays: StoredArrays,
): Html | undefined {
  const list = wholeAttributeList(attributes, maxBytes)
  if (list === undefined || (attributes.size === 0 && stored === null)) return undefined
  return html`${attributes.size > 0 && list}${stored && storedArrays.listFacts(stored.array, stored.shown)}`
}

/** With more variables there are no bars, because their details need the room. */
const maxBars = 1_500

/** Bytes of the largest variable, with which the others are compared; 0 when there are no bars, also when one is larger than any float. */
function findLargest(rows: readonly VariableRow[]): number {
  if (rows.length > maxBars) return 0
  let largest = 0
  for (const { size } of rows) {
    if (size === null) continue
    if (size.bytes === null) return 0
    largest = Math.max(largest, Number(size.bytes))
  }
  return largest
}

/** A bar that shows the size as a part of the largest; undefined when there would be nothing to see. */
function sizeBar(size: RowSize, largest: number): Html | undefined {
  if (largest === 0) return undefined
  const percent = Math.round((100 * Number(size.bytes)) / largest)
  return bars[percent]
}

const bars = Array.from({ length: 101 }, (_, percent) =>
  percent === 0 ? undefined : html`<svg aria-hidden="true"><rect width="${percent}%" /></svg>`,
)

function cells({ name, isIndexed, dimensions, typeText, shape, size }: VariableRow, largest: number): Html {
  return html`${isIndexed ? html`<b>${name}</b>` : html`<span>${name}</span>`}
    <i>${dimensions && formatDimensions(dimensions)}</i>
    <code>${typeText === null ? 'cannot be read' : clipText(typeText, maxTypeLength)}</code>
    <small>${shape && shape.length > 0 && formatShape(shape)}</small>
    <small>${size?.text}${size && sizeBar(size, largest)}</small>`
}

/** `(time, y, x)`; an unnamed dimension prints as Python's None. */
function formatDimensions(dimensions: readonly (string | null)[]): string {
  const shown = dimensions.slice(0, maxShownDimensions).map((name) => clipText(name ?? 'None', maxNameLength))
  return `(${shown.join(', ')}${dimensions.length > maxShownDimensions ? ', …' : ''})`
}
