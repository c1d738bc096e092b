// The values of a node before and after a change, side by side.
import { isJsonArray, JsonNumber, type JsonValue } from '@floe/storage/json'
import type { ChangedMember } from '../../compatibility/changed-members.ts'
import { html, type Html } from '../html.ts'
import { clipText, clipValue, moreNote, type PageBudget, renderWithin } from '../page-budget.ts'
import { dataTable } from '../parts/data-table.ts'

/** The differences between two versions of a node's document. */
export type ShownDocumentChanges =
  | {
      readonly attributes: readonly ChangedMember[]
      /** Changed members of the document that the contract names, such as `shape`. */
      readonly named: Readonly<Record<string, readonly [before: JsonValue, after: JsonValue]>>
      /** The other changed members of the document. */
      readonly others: readonly ChangedMember[]
      readonly dimensionNames: readonly (string | null)[] | null
    }
  | { readonly unreadable: string }

/** Longer values are cut, in characters. */
const maxValueLength = 1_000
const maxNameLength = 200

const shapeLabel = 'Shape'

/** What the table calls the members of a Zarr document. */
const memberLabels: ReadonlyMap<string, string> = new Map([
  ['shape', shapeLabel],
  ['data_type', 'Data type'],
  ['dimension_names', 'Dimensions'],
  ['chunk_shape', 'Chunks'],
  ['shard_shape', 'Shards'],
  ['codecs', 'Codecs'],
  ['fill_value', 'Fill value'],
])

/**
 * Describes the changed sizes of dimensions, such as `time 744 → 768`, for the line of the node. Returns none when the
 * dimensions have no names or have changed themselves.
 */
export function describeSizes(changes: ShownDocumentChanges): string[] {
  if ('unreadable' in changes || changes.dimensionNames === null) return []
  const [before = null, after = null] = changes.named['shape'] ?? []
  const { dimensionNames } = changes
  if (changes.named['dimension_names'] || !isJsonArray(before) || !isJsonArray(after)) return []
  if (before.length !== after.length || dimensionNames.length !== after.length) return []
  return dimensionNames.flatMap((name, axis) => {
    const [oldSize, newSize] = [before[axis], after[axis]]
    if (!(oldSize instanceof JsonNumber && newSize instanceof JsonNumber)) return []
    if (oldSize.text === newSize.text) return []
    return `${clipText(name ?? 'None', maxNameLength)} ${oldSize.text} → ${newSize.text}`
  })
}

/** The table, with the rows that fit into the budget. Undefined when there is nothing to show. */
export function valueTable(changes: ShownDocumentChanges, budget: PageBudget): Html | undefined {
  if ('unreadable' in changes)
    return html`<p class="note">The metadata cannot be compared: ${clipText(changes.unreadable, maxValueLength)}</p>`
  // The line of the node already shows changed sizes.
  const showsShape = describeSizes(changes).length === 0
  const rows = listRows(changes).filter(({ name }) => showsShape || name !== shapeLabel)
  if (rows.length === 0) return undefined
  const { rendered, leftOut } = renderWithin(budget, rows, tableRow)
  const table = dataTable(['Name', 'Before', 'After'], rendered, 'values')
  return html`${table} ${moreNote(leftOut, 'values differ.')}`
}

function listRows({ attributes, named, others }: Exclude<ShownDocumentChanges, { unreadable: string }>) {
  const members = [
    ...Object.entries(named).map(([name, [before, after]]) => ({
      name: memberLabels.get(name) ?? name,
      before,
      after,
    })),
    ...others,
  ]
  const rows = members.map(({ name, before, after }): ChangedMember => ({
    name,
    before: before ?? undefined,
    after: after ?? undefined,
  }))
  return [...rows, ...attributes]
}

function tableRow({ name, before, after }: ChangedMember): Html {
  return html`<tr>
    <th scope="row">${clipText(name, maxNameLength)}</th>
    <td>${tableCell(before)}</td>
    <td>${tableCell(after)}</td>
  </tr>`
}

function tableCell(value: JsonValue | undefined): Html {
  return value === undefined ? html`<em>none</em>` : html`${clipValue(value, maxValueLength)}`
}
