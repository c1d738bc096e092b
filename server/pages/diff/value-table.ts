// Values of a node before and after, side by side.
import type { JsonValue } from '@floe/storage/json'
import { html, type Html } from '../html.ts'
import { clipText, clipValue, type PageBudget, renderWithin } from '../page-budget.ts'
import type { ShownDocumentChanges } from './changes.ts'

/** Longer values are cut, in characters. */
const maxValueLength = 1_000
const maxNameLength = 200

/** A row of the table; undefined where there is no value. */
type Row = readonly [name: string, before: JsonValue | undefined, after: JsonValue | undefined]

/** The words of the page for members of Zarr. */
const memberNames: Readonly<Record<string, string>> = {
  shape: 'Shape',
  data_type: 'Data type',
  dimension_names: 'Dimensions',
  chunk_shape: 'Chunks',
  shard_shape: 'Shards',
  codecs: 'Codecs',
  fill_value: 'Fill value',
}

/** As many rows as fit into the budget, which they spend; undefined when nothing differs. */
export function valueTable(changes: ShownDocumentChanges, budget: PageBudget): Html | undefined {
  if ('unreadable' in changes)
    return html`<p class="note">The documents cannot be compared: ${clipText(changes.unreadable, maxValueLength)}</p>`
  const rows = listRows(changes)
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
    ${leftOut > 0 && html`<p class="note">${leftOut.toLocaleString('en')} more values differ.</p>`}`
}

function listRows({
  attributes,
  named: namedValues,
  others,
}: Exclude<ShownDocumentChanges, { unreadable: string }>): Row[] {
  const named = Object.entries(namedValues).map(([name, [before, after]]): Row => [
    Object.hasOwn(memberNames, name) ? (memberNames[name] ?? name) : name,
    before ?? undefined,
    after ?? undefined,
  ])
  const other = others.map(([name, [before, after]]): Row => [name, before ?? undefined, after ?? undefined])
  if (attributes === null) return [...named, ...other]
  return [
    ...named,
    ...other,
    ...attributes.updated.map(([name, [before, after]]): Row => [name, before, after]),
    ...attributes.created.map(([name, value]): Row => [name, undefined, value]),
    ...attributes.deleted.map(([name, value]): Row => [name, value, undefined]),
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
