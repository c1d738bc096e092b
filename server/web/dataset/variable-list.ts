// The rows of a dataset's variables. One page may hold thousands, so a row's markup is short: <b> is a name with an index,
// <span> one without, <i> the dimensions, <code> the data type, <small> shape and size.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { formatBytes, multiplySizes } from '../../xarray/size.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { attributeList } from './attribute-list.ts'
import { html, type Html } from '../html.ts'
import { isLongList, PageBudget, renderWithin } from '../page-budget.ts'
import { extensionText, type Fact, shapeText, storageFacts } from './storage-facts.ts'

/** One variable, as a page shows it. Null means not known. */
export type VariableRow = {
  readonly name: string
  readonly isIndexed: boolean
  readonly dimensions: readonly (string | null)[] | null
  readonly typeText: string | null
  readonly shape: readonly bigint[] | null
  /** In memory, uncompressed. */
  readonly bytes: bigint | null
  readonly attributes: JsonObject
  readonly storage: readonly Fact[]
}

/** The row of a variable that xarray decodes, with facts about its stored array. */
export function decodedRow(variable: DecodedVariable, array: ArrayMetadata | undefined): VariableRow {
  const { name, isIndexed, dimensions, shape, attributes, type } = variable
  const shown = { typeText: type.text, shape, itemBytes: type.itemBytes }
  const storage = array ? storageFacts(array, shown) : []
  return {
    name,
    isIndexed,
    dimensions,
    typeText: type.text,
    shape,
    bytes: multiplySizes(shape, BigInt(type.itemBytes)),
    attributes,
    storage,
  }
}

/** The row of a stored array in a group that xarray cannot decode. `array` is null when its document cannot be read either. */
export function storedRow(name: string, array: ArrayMetadata | null): VariableRow {
  if (!array) return { ...unknownRow, name }
  const { shape, attributes } = array
  const typeText = extensionText(array.dataType)
  const storage = storageFacts(array, { typeText, shape, itemBytes: null })
  return { ...unknownRow, name, dimensions: array.dimensionNames, typeText, shape, attributes, storage }
}

const unknownRow = {
  isIndexed: false,
  dimensions: null,
  typeText: null,
  shape: null,
  bytes: null,
  attributes: new Map(),
  storage: [],
} as const

/** Bytes for the variables of one page: 2,000 of them with five attributes each take 1.3 MB. */
const variableBytesMax = 1_380_000

/**
 * List items of as many rows as fit, in order. Names come before details: a row loses its details before a later row is
 * left out.
 */
export function variableItems(rows: readonly VariableRow[]): Html[] {
  const budget = new PageBudget(variableBytesMax)
  const { rendered } = renderWithin(budget, rows, (row) => html`<li><p>${cells(row)}</p></li>`)
  return rendered.map((bare, index) => {
    const row = rows[index]
    const details = row && renderDetails(row)
    if (!details || !budget.takes(details)) return bare
    return html`<li>
      <details>
        <summary>${cells(row)}</summary>
        ${details}
      </details>
    </li>`
  })
}

/** The items as a list, and a note when there are fewer than `count`. */
export function variableList(items: readonly Html[], count: number): Html {
  const leftOut = count - items.length
  return html`<ul class="variables${isLongList(count) && ' long'}">
      ${items}
    </ul>
    ${leftOut > 0 && html`<p class="note">${leftOut.toLocaleString('en')} more are in the info and dict views.</p>`}`
}

function renderDetails({ attributes, storage }: VariableRow): Html | undefined {
  if (attributes.size === 0 && storage.length === 0) return undefined
  return html`${attributes.size > 0 && attributeList(attributes)}${storage.length > 0 && factList(storage)}`
}

function cells({ name, isIndexed, dimensions, typeText, shape, bytes }: VariableRow): Html {
  return html`${isIndexed ? html`<b>${name}</b>` : html`<span>${name}</span>`}
    <i>${dimensions && dimensionsText(dimensions)}</i> <code>${typeText ?? 'cannot be read'}</code>
    <small>${shape && shape.length > 0 && shapeText(shape)}</small>
    <small>${bytes !== null && formatBytes(bytes)}</small>`
}

/** `(time, y, x)`; an unnamed dimension prints as Python's None. */
function dimensionsText(dimensions: readonly (string | null)[]): string {
  return `(${dimensions.map((name) => name ?? 'None').join(', ')})`
}

function factList(facts: readonly Fact[]): Html {
  return html`<dl class="storage">
    ${facts.map(
      ([label, text]) =>
        html`<dt>${label}</dt>
          <dd>${text}</dd>`,
    )}
  </dl>`
}
