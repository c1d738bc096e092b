// The sections of xarray's HTML representation, in the same order. Each starts unfolded where xarray unfolds it.
// Source of the thresholds: the `_mapping_section` calls in `xarray.core.formatting_html`.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import type { DecodedDataset, DecodedVariable } from '../../xarray/dataset.ts'
import { html, type Html } from '../html.ts'
import { clipText, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import { section } from '../section.ts'
import { StoredArrays } from './storage-facts.ts'
import { attributeList, makeDecodedRow, makeStoredRow, variableItems, variableList } from './variable-list.ts'

const unfoldedBelow = { coordinates: 25, dataVariables: 15, attributes: 10 }

const attributeBytes = 50_000
const dimensionBytes = 15_000
/** Longer names of dimensions are cut, in characters. */
const maxNameLength = 1_000

/** The sections of dimensions, coordinates, data variables and indexes. */
export function variableSections(dataset: DecodedDataset, arrays: ReadonlyMap<string, ArrayMetadata>): Html {
  const coordinates = sortCoordinates(dataset)
  const dataVariables = dataset.variables.filter((variable) => !variable.isCoordinate)
  const indexes = coordinates.filter((variable) => variable.isIndexed).map((variable) => variable.name)
  const rows = [...coordinates, ...dataVariables].map((variable) =>
    makeDecodedRow(variable, arrays.get(variable.name) ?? null),
  )
  const storedArrays = new StoredArrays()
  const items = variableItems(rows, storedArrays)
  return html`${storedArrays.drawings.definitions}${dimensionList(dataset, new Set(indexes))}
  ${
    coordinates.length > 0 &&
    section({
      id: 'coordinates',
      title: 'Coordinates',
      count: coordinates.length,
      isOpen: coordinates.length < unfoldedBelow.coordinates,
      content: variableList(items.slice(0, coordinates.length), coordinates.length, true),
    })
  }
  ${section({
    id: 'data-variables',
    title: 'Data variables',
    count: dataVariables.length,
    isOpen: dataVariables.length < unfoldedBelow.dataVariables,
    content: variableList(items.slice(coordinates.length), dataVariables.length, true),
  })}
  ${indexes.length > 0 && indexSection(indexes)}`
}

/**
 * Sorts coordinates as xarray prints them: for each dimension its own coordinate, then coordinates with it as last dimension; scalars come
 * last. Equal ranks keep their order. Source: `_coord_sort_key` in `xarray.core.formatting`.
 */
function sortCoordinates(dataset: DecodedDataset): DecodedVariable[] {
  const positions = new Map([...dataset.dimensions.keys()].map((name, position) => [name, position]))
  const rank = (variable: DecodedVariable): number => {
    const own = positions.get(variable.name)
    if (own !== undefined) return 2 * own
    const last = variable.dimensions.at(-1)
    return 2 * ((last === undefined ? undefined : positions.get(last)) ?? positions.size) + 1
  }
  return dataset.variables.filter((variable) => variable.isCoordinate).sort((a, b) => rank(a) - rank(b))
}

/** The arrays of a group that xarray cannot decode, as they are stored. */
export function storedArraySection(arrays: ReadonlyMap<string, ArrayMetadata | null>): Html {
  const rows = [...arrays].map(([name, array]) => makeStoredRow(name, array))
  const storedArrays = new StoredArrays()
  const items = variableItems(rows, storedArrays)
  return html`${storedArrays.drawings.definitions}${section({
    id: 'arrays',
    title: 'Arrays as stored',
    count: arrays.size,
    isOpen: arrays.size < unfoldedBelow.dataVariables,
    content: variableList(items, rows.length, false),
  })}`
}

/** Attributes of the group; undefined when it has none. Attributes that do not fit are in the dict view, if the group has views. */
export function attributeSection(attributes: JsonObject, hasViews: boolean): Html | undefined {
  if (attributes.size === 0) return undefined
  const { list, leftOut } = attributeList(attributes, attributeBytes)
  return section({
    id: 'attributes',
    title: 'Attributes',
    count: attributes.size,
    isOpen: attributes.size < unfoldedBelow.attributes,
    content: html`${list} ${moreNote(leftOut, `attributes are ${hasViews ? 'in the dict view' : 'not shown'}.`)}`,
  })
}

/** Names with an index are bold. An unnamed dimension is shown as Python's None. */
function dimensionList({ dimensions }: DecodedDataset, indexes: ReadonlySet<string>): Html {
  const { rendered, leftOut } = renderWithin(new PageBudget(dimensionBytes), dimensions, ([name, size]) => {
    const shown = clipText(name ?? 'None', maxNameLength)
    const isIndexed = name !== null && indexes.has(name)
    return html`<li>${isIndexed ? html`<b>${shown}</b>` : html`<span>${shown}</span>`}: ${size}</li>`
  })
  return html`<section class="section" id="dimensions">
    <h2>Dimensions</h2>
    <ul class="dimensions">
      ${rendered}${leftOut > 0 && html`<li>${leftOut.toLocaleString('en')} more</li>`}
    </ul>
  </section>`
}

/** The type is always the same: xarray builds only pandas indexes over one dimension when it opens a dataset. */
function indexSection(names: readonly string[]): Html {
  const { rendered, leftOut } = renderWithin(
    new PageBudget(dimensionBytes),
    names,
    (name) => html`<li><b>${name}</b> <code>PandasIndex</code></li>`,
  )
  return section({
    id: 'indexes',
    title: 'Indexes',
    count: names.length,
    isOpen: false,
    content: html`<ul class="indexes">
      ${rendered}${leftOut > 0 && html`<li>${leftOut.toLocaleString('en')} more</li>`}
    </ul>`,
  })
}
