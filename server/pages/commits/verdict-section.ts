// Whether the changes break readers: the beginning of the page of what changed.
import type { ChangeVerdict, StateVerdict } from '@floe/contract'
import type { Change } from '../../compatibility/change.ts'
import { describeChange } from '../../compatibility/describe-change.ts'
import { html, type Html } from '../html.ts'
import { clipText, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import { listCounts } from '../parts/format-count.ts'

export type ShownComparison = {
  readonly verdict: StateVerdict
  /** The worst first. */
  readonly groups: readonly {
    readonly path: string
    readonly changes: readonly Change[]
    readonly notes: readonly {
      readonly dimension: string
      readonly size: bigint
      readonly parent: string
      readonly parentSize: bigint
    }[]
  }[]
  readonly counts: {
    readonly changes: Readonly<Record<ChangeVerdict, number>>
    readonly notes: number
    /** Groups that were not compared. */
    readonly notCompared: number
  }
}

/** Most changes that the page lists. */
const maxListed = 100
const listBytes = 50_000
const maxPathLength = 200
const maxTextLength = 300

const headings: Record<StateVerdict, string> = {
  breaking: 'Breaks readers',
  unknown: 'May break readers',
  compatible: 'Breaks no reader',
  identical: 'Readers see no difference',
}

/** The verdict, and the changes that are not compatible. */
export function verdictSection({ verdict, groups, counts }: ShownComparison, json: string, help: string): Html {
  const lines = groups.flatMap(({ path, changes, notes }) => [
    ...changes
      .filter((change) => change.verdict !== 'compatible')
      .map((change) => ({ path, verdict: change.verdict, text: describeChange(change, 'earlier state') })),
    ...notes.map(({ dimension, size, parent, parentSize }) => ({
      path,
      verdict: 'note',
      text:
        `dimension ${dimension} has ${size} elements here and ${parentSize} in ${showPath(parent)}, ` +
        'so xarray.open_datatree refuses the tree',
    })),
  ])
  const { rendered, leftOut } = renderWithin(new PageBudget(listBytes), lines.slice(0, maxListed), changeLine)
  const { breaking, unknown } = counts.changes
  const hidden = breaking + unknown + counts.notes - rendered.length
  return html`<section class="section verdict ${verdict}">
    <h2>${headings[verdict]} <span>(${describeCounts(counts)})</span></h2>
    ${
      rendered.length > 0 &&
      html`<ul>
        ${rendered}
      </ul>`
    }
    ${moreNote(Math.max(hidden, leftOut), 'are not shown.')}
    <p><a href="${help}">Rules</a> <a href="${json}">JSON</a></p>
  </section>`
}

function changeLine({ path, verdict, text }: { path: string; verdict: string; text: string }): Html {
  return html`<li>
    <b class="${verdict}">${verdict}</b> <span>${clipText(showPath(path), maxPathLength)}</span>
    ${clipText(text, maxTextLength)}
  </li>`
}

function showPath(path: string): string {
  return path === '' ? 'root group' : path
}

/** Counts changes by verdict, such as `2 breaking, 5 compatible`. */
function describeCounts({ changes, notes, notCompared }: ShownComparison['counts']): string {
  const parts = [
    [changes.breaking, 'breaking'],
    [changes.unknown, 'unknown'],
    [changes.compatible, 'compatible'],
    [notes, notes === 1 ? 'note' : 'notes'],
    [notCompared, 'groups not compared'],
  ] as const
  return listCounts(parts, 'no changes')
}
