// The rows of a dataset's variables. One page may hold thousands, so a row's markup is short: <b> is a name with an index,
// <span> one without, <i> the dimensions, <code> the data type, <small> shape and size.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { formatBytes, multiplySizes } from '../../xarray/size.ts'
import type { DecodedVariable } from '../../xarray/dataset.ts'
import { wholeAttributeList } from './attribute-list.ts'
import { html, type Html } from '../html.ts'
import { clipText, isLongList, PageBudget, renderWithin } from '../page-budget.ts'
import { formatExtension, type Fact, maxShownDimensions, formatShape, listStorageFacts } from './storage-facts.ts'

/** One variable, as a page shows it. Null means not known. */
export type VariableRow = {
  readonly name: string
  readonly isIndexed: boolean
  readonly dimensions: readonly (string | null)[] | null
  readonly typeText: string | null
  readonly shape: readonly bigint[] | null
  /** Size in memory, uncompressed. */
  readonly sizeText: string | null
  readonly attributes: JsonObject
  /** Facts about the stored array, asked for only when the row's details are shown. */
  readonly listFacts: () => readonly Fact[]
}

/** The row of a variable that xarray decodes, with facts about its stored array. */
export function makeDecodedRow(variable: DecodedVariable, array: ArrayMetadata | undefined): VariableRow {
  const { name, isIndexed, dimensions, shape, attributes, type } = variable
  const shown = { typeText: type.text, shape, itemBytes: type.itemBytes }
  return {
    name,
    isIndexed,
    dimensions,
    typeText: type.text,
    shape,
    sizeText: formatBytes(multiplySizes(shape, BigInt(type.itemBytes))),
    attributes,
    listFacts: () => (array ? listStorageFacts(array, shown) : []),
  }
}

/** The row of a stored array in a group that xarray cannot decode. `array` is null when its document cannot be read either. */
export function makeStoredRow(name: string, array: ArrayMetadata | null): VariableRow {
  if (!array) return { ...unknownRow, name }
  const { shape, attributes } = array
  const typeText = formatExtension(array.dataType)
  const listFacts = () => listStorageFacts(array, { typeText, shape, itemBytes: null })
  return { ...unknownRow, name, dimensions: array.dimensionNames, typeText, shape, attributes, listFacts }
}

const unknownRow = {
  isIndexed: false,
  dimensions: null,
  typeText: null,
  shape: null,
  sizeText: null,
  attributes: new Map(),
  listFacts: () => [],
} as const

/** Bytes for the variables of one page: 2,000 of them with five attributes each take 1.3 MB. */
const variableBytesMax = 1_380_000

/** Longer names of dimensions and texts of types are cut, in characters. */
const maxNameLength = 1_000
const maxTypeLength = 4_000

/** Details that did not fit, after which no more are tried: trying thousands takes long. */
const maxMisses = 200

/**
 * List items of as many rows as fit, in order. Names come before details: a row loses its details before a later row is
 * left out.
 */
export function variableItems(rows: readonly VariableRow[]): Html[] {
  const budget = new PageBudget(variableBytesMax)
  const { rendered } = renderWithin(budget, rows, (row) => html`<li><p>${cells(row)}</p></li>`)
  let misses = 0
  return rendered.map((bare, index) => {
    const row = rows[index]
    if (row === undefined || misses === maxMisses) return bare
    const details = renderDetails(row, budget.bytesLeft)
    if (!details || !budget.takes(details)) {
      misses += 1
      return bare
    }
    return html`<li>
      <details>
        <summary>${cells(row)}</summary>
        ${details}
      </details>
    </li>`
  })
}

/** The items as a list. When there are fewer than `count`, a note says how many are missing and, for a group with views, where to find them. */
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
function renderDetails({ attributes, listFacts }: VariableRow, maxBytes: number): Html | undefined {
  const list = wholeAttributeList(attributes, maxBytes)
  if (list === undefined) return undefined
  const facts = listFacts()
  if (attributes.size === 0 && facts.length === 0) return undefined
  return html`${attributes.size > 0 && list}${facts.length > 0 && factList(facts)}`
}

function cells({ name, isIndexed, dimensions, typeText, shape, sizeText }: VariableRow): Html {
  return html`${isIndexed ? html`<b>${name}</b>` : html`<span>${name}</span>`}
    <i>${dimensions && formatDimensions(dimensions)}</i>
    <code>${typeText === null ? 'cannot be read' : clipText(typeText, maxTypeLength)}</code>
    <small>${shape && shape.length > 0 && formatShape(shape)}</small>
    <small>${sizeText}</small>`
}

/** `(time, y, x)`; an unnamed dimension prints as Python's None. */
function formatDimensions(dimensions: readonly (string | null)[]): string {
  const shown = dimensions.slice(0, maxShownDimensions).map((name) => clipText(name ?? 'None', maxNameLength))
  return `(${shown.join(', ')}${dimensions.length > maxShownDimensions ? ', …' : ''})`
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
