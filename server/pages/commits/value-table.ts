// Values of a node before and after, side by side.
import { isJsonArray, JsonNumber, type JsonValue } from '@floe/storage/json'
import { html, type Html } from '../html.ts'
import { clipText, clipValue, moreNote, type PageBudget, renderWithin } from '../page-budget.ts'

type Named = readonly [name: string, value: JsonValue]

type NamedValues = readonly [name: string, values: readonly [before: JsonValue, after: JsonValue]]

/** What differs in two documents of a node. */
export type ShownDocumentChanges =
  | {
      readonly attributes: {
        readonly created: readonly Named[]
        readonly deleted: readonly Named[]
        readonly updated: readonly NamedValues[]
      } | null
      /** Members that the contract names. */
      readonly named: Readonly<Record<string, NamedValues[1]>>
      readonly others: readonly NamedValues[]
      readonly dimensionNames: readonly (string | null)[] | null
    }
  | { readonly unreadable: string }

/** Longer values are cut, in characters. */
const maxValueLength = 1_000
const maxNameLength = 200

/** A row of the table; undefined where there is no value. */
type Row = readonly [name: string, before: JsonValue | undefined, after: JsonValue | undefined]

const shapeName = 'Shape'

/** Labels of members of Zarr. */
const memberNames: ReadonlyMap<string, string> = new Map([
  ['shape', shapeName],
  ['data_type', 'Data type'],
  ['dimension_names', 'Dimensions'],
  ['chunk_shape', 'Chunks'],
  ['shard_shape', 'Shards'],
  ['codecs', 'Codecs'],
  ['fill_value', 'Fill value'],
])

/** The sizes that differ, as `time 744 → 768`; none where the dimensions have no names or are others. They stand in the line of the node. */
export function describeSizes(changes: ShownDocumentChanges): string[] {
  if ('unreadable' in changes || changes.dimensionNames === null) return []
  const [before = null, after = null] = changes.named['shape'] ?? []
  const { dimensionNames } = changes
  if (changes.named['dimension_names'] || !isJsonArray(before) || !isJsonArray(after)) return []
  if (before.length !== after.length || dimensionNames.length !== after.length) return []
  return dimensionNames.flatMap((name, axis) => {
    const [old, size] = [before[axis], after[axis]]
    if (!(old instanceof JsonNumber && size instanceof JsonNumber) || old.text === size.text) return []
    return `${clipText(name ?? 'None', maxNameLength)} ${old.text} → ${size.text}`
  })
}

/** Renders the rows that fit into the budget; undefined when nothing differs. */
export function valueTable(changes: ShownDocumentChanges, budget: PageBudget): Html | undefined {
  if ('unreadable' in changes)
    return html`<p class="note">The documents cannot be compared: ${clipText(changes.unreadable, maxValueLength)}</p>`
  const isInLine = describeSizes(changes).length > 0
  const rows = listRows(changes).filter(([name]) => !isInLine || name !== shapeName)
  if (rows.length === 0) return undefined
  const { rendered, leftOut } = renderWithin(budget, rows, tableRow)
  return html`<table class="values">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        ${rendered}
      </tbody>
    </table>
    ${moreNote(leftOut, 'values differ.')}`
}

function listRows({ attributes, named, others }: Exclude<ShownDocumentChanges, { unreadable: string }>): Row[] {
  const { updated, created, deleted } = attributes ?? { updated: [], created: [], deleted: [] }
  const members = [
    ...Object.entries(named).map(([name, values]): NamedValues => [memberNames.get(name) ?? name, values]),
    ...others,
  ]
  return [
    ...members.map(([name, [before, after]]): Row => [name, before ?? undefined, after ?? undefined]),
    ...updated.map(([name, [before, after]]): Row => [name, before, after]),
    ...created.map(([name, value]): Row => [name, undefined, value]),
    ...deleted.map(([name, value]): Row => [name, value, undefined]),
  ]
}

function tableRow([name, before, after]: Row): Html {
  return html`<tr>
    <th scope="row">${clipText(name, maxNameLength)}</th>
    <td>${tableCell(before)}</td>
    <td>${tableCell(after)}</td>
  </tr>`
}

function tableCell(value: JsonValue | undefined): Html {
  return value === undefined ? html`<em>none</em>` : html`${clipValue(value, maxValueLength)}`
}
