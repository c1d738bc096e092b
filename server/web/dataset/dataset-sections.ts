// The sections of xarray's HTML representation, in the same order. Each starts unfolded where xarray unfolds it.
// Source of the thresholds: the `_mapping_section` calls in `xarray.core.formatting_html`.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { attributeList } from './attribute-list.ts'
import { coordinatesInOrder } from './coordinate-order.ts'
import { html, type Html } from '../html.ts'
import { clipText, PageBudget, renderWithin } from '../page-budget.ts'
import { section } from '../section.ts'
import { decodedRow, storedRow, variableItems, variableList } from './variable-list.ts'

const unfoldedBelow = { coordinates: 25, dataVariables: 15, attributes: 10 }

const attributeBytes = 50_000
const dimensionBytes = 15_000
/** Longer names of dimensions are cut, in characters. */
const maxNameLength = 1_000

/** The sections of dimensions, coordinates, data variables and indexes. */
export function variableSections(dataset: DecodedDataset, arrays: ReadonlyMap<string, ArrayMetadata>): Html {
  const coordinates = coordinatesInOrder(dataset)
  const dataVariables = dataset.variables.filter((variable) => !variable.isCoordinate)
  const indexes = coordinates.filter((variable) => variable.isIndexed).map((variable) => variable.name)
  const rows = [...coordinates, ...dataVariables].map((variable) => decodedRow(variable, arrays.get(variable.name)))
  const items = variableItems(rows)
  return html`${dimensionList(dataset, new Set(indexes))}
  ${
    coordinates.length > 0 &&
    section({
      id: 'coordinates',
      title: 'Coordinates',
      count: coordinates.length,
      isOpen: coordinates.length < unfoldedBelow.coordinates,
      content: variableList(items.slice(0, coordinates.length), coordinates.length),
    })
  }
  ${section({
    id: 'data-variables',
    title: 'Data variables',
    count: dataVariables.length,
    isOpen: dataVariables.length < unfoldedBelow.dataVariables,
    content: variableList(items.slice(coordinates.length), dataVariables.length),
  })}
  ${indexes.length > 0 && indexSection(indexes)}`
}

/** The arrays of a group that xarray cannot decode, as they are stored. */
export function storedArraySection(arrays: ReadonlyMap<string, ArrayMetadata | null>): Html {
  const rows = [...arrays].map(([name, array]) => storedRow(name, array))
  return section({
    id: 'arrays',
    title: 'Arrays as stored',
    count: arrays.size,
    isOpen: arrays.size < unfoldedBelow.dataVariables,
    content: variableList(variableItems(rows), rows.length),
  })
}

/** Attributes of the group; undefined when it has none. */
export function attributeSection(attributes: JsonObject): Html | undefined {
  if (attributes.size === 0) return undefined
  return section({
    id: 'attributes',
    title: 'Attributes',
    count: attributes.size,
    isOpen: attributes.size < unfoldedBelow.attributes,
    content: attributeList(attributes, new PageBudget(attributeBytes)),
  })
}

/** Bold where a dimension has an index. An unnamed dimension prints as Python's None. */
function dimensionList({ dimensions }: DecodedDataset, indexes: ReadonlySet<string>): Html {
  const { rendered, leftOut } = renderWithin(new PageBudget(dimensionBytes), dimensions, ([name, size]) => {
    const shown = clipText(name ?? 'None', maxNameLength)
    const isIndexed = name !== null && indexes.has(name)
    return html`<li>${isIndexed ? html`<b>${shown}</b>` : html`<span>${shown}</span>`}: ${size}</li>`
  })
  return html`<section class="section" id="dimensions">
    <h2>Dimensions</h2>
    <ul class="dimensions">
      ${rendered}${leftOut > 0 && html`<li>${leftOut} more</li>`}
    </ul>
  </section>`
}

/** Every index xarray builds on opening is a pandas index over one dimension. */
function indexSection(names: readonly string[]): Html {
  const { rendered } = renderWithin(
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
      ${rendered}
    </ul>`,
  })
}
