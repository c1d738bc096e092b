// The sections of xarray's HTML representation, in the same order. Indexes have none, because the names of their coordinates are bold.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import type { DecodedDataset, DecodedVariable } from '../../xarray/dataset.ts'
import { attributeList } from '../attribute-list.ts'
import { html, type Html } from '../html.ts'
import { moreNote } from '../page-budget.ts'
import { section } from '../section.ts'
import { dimensionList } from './dimension-list.ts'
import { readStatedRange, type StatedRange } from './stated-range.ts'
import { StoredArrays } from './storage-facts.ts'
import { makeDecodedRow, makeStoredRow, variableItems, variableList } from './variable-list.ts'

/** Lists with fewer entries start unfolded. The limit of attributes is that of xarray. */
const unfoldedBelow = { variables: 30, attributes: 10 }

const attributeBytes = 50_000

/** The sections of dimensions, coordinates and data variables. */
export function variableSections(dataset: DecodedDataset, arrays: ReadonlyMap<string, ArrayMetadata>): Html {
  const coordinates = sortCoordinates(dataset)
  const dataVariables = dataset.variables.filter((variable) => !variable.isCoordinate)
  const ranges = new Map(coordinates.map((variable) => [variable, readStatedRange(variable, dataset.attributes)]))
  const rows = [...coordinates, ...dataVariables].map((variable) =>
    makeDecodedRow(variable, arrays.get(variable.name) ?? null, ranges.get(variable)),
  )
  const storedArrays = new StoredArrays()
  const items = variableItems(rows, storedArrays)
  return html`${storedArrays.drawings.definitions}${dimensionList(dataset)}
  ${
    coordinates.length > 0 &&
    section({
      id: 'coordinates',
      title: 'Coordinates',
      count: coordinates.length,
      isOpen: coordinates.length < unfoldedBelow.variables,
      content: html`${variableList(items.slice(0, coordinates.length), coordinates.length, true)}
      ${rangeNote([...ranges.values()])}`,
    })
  }
  ${section({
    id: 'data-variables',
    title: 'Data variables',
    count: dataVariables.length,
    isOpen: dataVariables.length < unfoldedBelow.variables,
    content: variableList(items.slice(coordinates.length), dataVariables.length, true),
  })}`
}

function rangeNote(ranges: readonly (StatedRange | undefined)[]): Html | false {
  const sources = new Set(ranges.flatMap((range) => range?.sources ?? []))
  return (
    sources.size > 0 &&
    html`<p class="note">Ranges are stated by ${[...sources].join(', ')}. Array data was not read.</p>`
  )
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
    isOpen: arrays.size < unfoldedBelow.variables,
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
