// The sections of xarray's HTML representation, in the same order. There is no section of indexes: coordinates with an
// index have bold names.
import type { ArrayGaps } from '@floe/contract'
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import type { DecodedDataset, DecodedVariable } from '../../xarray/dataset.ts'
import { attributeList } from '../parts/attribute-list.ts'
import { html, type Html } from '../html.ts'
import { moreNote } from '../page-budget.ts'
import { section } from '../parts/section.ts'
import type { ChunkCount } from '../parts/written-chunks.ts'
import { dimensionList } from './dimension-list.ts'
import { readStatedRange, type StatedRange } from './stated-range.ts'
import { StorageFacts } from './storage-facts.ts'
import { makeDecodedRow, makeStoredRow, variableItems, type VariableLinks, variableList } from './variable-list.ts'

/** Lists with fewer entries start unfolded. The limit for attributes is that of xarray. */
const unfoldedBelow = { variables: 30, attributes: 10 }

const attributeBytes = 150_000

/** What is known of the written chunks of the arrays of a group, by their names. */
export type WrittenParts = {
  readonly chunks: ReadonlyMap<string, ChunkCount>
  /** Of arrays with chunks that are not written, where these are, if that was read. */
  readonly gaps: ReadonlyMap<string, ArrayGaps>
}

function findWritten({ chunks, gaps }: WrittenParts, name: string) {
  return { chunks: chunks.get(name), gaps: gaps.get(name) }
}

/** The sections of dimensions, coordinates and data variables. */
export function variableSections(
  dataset: DecodedDataset,
  arrays: ReadonlyMap<string, ArrayMetadata>,
  written: WrittenParts,
  links: VariableLinks,
): Html {
  const coordinates = sortCoordinates(dataset)
  const dataVariables = dataset.variables.filter((variable) => !variable.isCoordinate)
  const ranges = new Map(coordinates.map((variable) => [variable, readStatedRange(variable, dataset.attributes)]))
  const rows = [...coordinates, ...dataVariables].map((variable) =>
    makeDecodedRow(variable, arrays.get(variable.name) ?? null, {
      range: ranges.get(variable),
      ...findWritten(written, variable.name),
    }),
  )
  const storageFacts = new StorageFacts()
  const items = variableItems(rows, storageFacts, links)
  return html`${storageFacts.drawings.definitions}${dimensionList(dataset)}
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
    html`<p class="note">The ranges come from the attributes ${[...sources].join(', ')}. Array data was not read.</p>`
  )
}

/**
 * Sorts coordinates as xarray prints them: for each dimension the coordinate of its name, then coordinates whose last
 * dimension it is; scalars come last. Equal ranks keep their order. Source: `_coord_sort_key` in
 * `xarray.core.formatting`.
 */
function sortCoordinates(dataset: DecodedDataset): DecodedVariable[] {
  const positions = new Map([...dataset.dimensions.keys()].map((name, position) => [name, position]))
  const rank = (variable: DecodedVariable): number => {
    const position = positions.get(variable.name)
    if (position !== undefined) return 2 * position
    const lastDimension = variable.dimensions.at(-1)
    return 2 * ((lastDimension === undefined ? undefined : positions.get(lastDimension)) ?? positions.size) + 1
  }
  return dataset.variables.filter((variable) => variable.isCoordinate).sort((a, b) => rank(a) - rank(b))
}

/** The section of the arrays of a group that xarray cannot decode, as they are stored. */
export function storedArraySection(
  arrays: ReadonlyMap<string, ArrayMetadata | null>,
  written: WrittenParts,
  links: VariableLinks,
): Html {
  const rows = [...arrays].map(([name, array]) => makeStoredRow(name, array, findWritten(written, name)))
  const storageFacts = new StorageFacts()
  const items = variableItems(rows, storageFacts, links)
  return html`${storageFacts.drawings.definitions}${section({
    id: 'arrays',
    title: 'Arrays as stored',
    count: arrays.size,
    isOpen: arrays.size < unfoldedBelow.variables,
    content: variableList(items, rows.length, false),
  })}`
}

/**
 * The section of the group's attributes; undefined when it has none.
 *
 * @param dict the address of the view that has all of them, if there is one
 */
export function attributeSection(attributes: JsonObject, dict?: string): Html | undefined {
  if (attributes.size === 0) return undefined
  const elsewhere = dict === undefined ? 'are not shown.' : html`are in the <a href="${dict}">dict view</a>.`
  const { list, leftOut } = attributeList(attributes, attributeBytes, elsewhere)
  return section({
    id: 'attributes',
    title: 'Attributes',
    count: attributes.size,
    isOpen: attributes.size < unfoldedBelow.attributes,
    content: html`${list} ${moreNote(leftOut, html`attributes ${elsewhere}`)}`,
  })
}
