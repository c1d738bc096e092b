// The commits of a graph as a list. Each row draws its own part of the columns, so rows can have any height.
import type { CommitChanges } from '@floe/contract'
import { formatCount } from '../parts/format-count.ts'
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { getCommitTitle, timeElement } from '../page-subject.ts'
import { checkMarks } from '../parts/check-marks.ts'
import { remarkNotes } from '../parts/remark-notes.ts'
import type { GraphRow, RefLabel } from './commit-graph.ts'

/** Width of a column, in pixels. */
const columnWidth = 16
/** Distance of a commit's dot from the top of its row, in pixels. */
const dotTop = 20

/** CSS classes of the columns from the left; they repeat after the last one. */
const columnClasses = ['trunk', 'second', 'third', 'fourth']
const columnClass = (column: number) => columnClasses[column % columnClasses.length]

const maxAuthorLength = 200
/** Maximum number of branches and tags in a row; the others are counted. */
const maxLabels = 6
const maxNameLength = 100
/** Maximum number of changed nodes in a row; the others are counted. */
const maxChanges = 6

/** The list of the rows of a graph. */
export function graphList(repository: string, rows: readonly GraphRow[], links: PageLinks): Html {
  const columns = 1 + rows.reduce((last, { column, above }) => Math.max(last, column, ...above), 0)
  return html`<ol class="graph">
    ${rows.map((row) => html`<li>${columnDrawing(row, columns)}${commitText(repository, row, links)}</li>`)}
  </ol>`
}

/** The columns of a row. Screen readers skip the drawing: the text says on which branch a commit is. */
function columnDrawing({ column, above, below, joining }: GraphRow, columns: number): Html {
  const centre = (column: number) => columnWidth / 2 + column * columnWidth
  const straightLine = (column: number, top: string, bottom: string) =>
    html`<line
      class="${columnClass(column)}"
      x1="${centre(column)}"
      x2="${centre(column)}"
      y1="${top}"
      y2="${bottom}"
    />`
  const linesAbove = above.map((from) => {
    if (!joining.includes(from)) {
      return straightLine(from, '0', from === column || !below.includes(from) ? String(dotTop) : '100%')
    }
    return html`<path
      class="${columnClass(from)}"
      d="M${centre(from)} 0C${centre(from)} ${dotTop} ${centre(column)} 0 ${centre(column)} ${dotTop}"
    />`
  })
  const startsHere = below.filter((to) => to === column || !above.includes(to))
  return html`<svg width="${columns * columnWidth}" aria-hidden="true">
    ${linesAbove} ${startsHere.map((to) => straightLine(to, String(dotTop), '100%'))}
    <circle class="${columnClass(column)}" cx="${centre(column)}" cy="${dotTop}" r="5" />
  </svg>`
}

function commitText(repository: string, { commit, column, joining }: GraphRow, links: PageLinks): Html {
  const { snapshotId, parentId, author, writtenAt, refs, changes, marks, remarks = [] } = commit
  const title = getCommitTitle(commit)
  return html`<div>
    <p>
      <a href="${links.ref(repository, snapshotId)}">${title}</a>
      ${refs.slice(0, maxLabels).map((label) => refLabel(repository, label, links))}
      ${refs.length > maxLabels && html`<small>and ${(refs.length - maxLabels).toLocaleString('en')} more</small>`}
      ${column > 0 && html`<span class="spoken">On a side branch.</span>`}
      ${joining.length > 0 && html`<span class="spoken">The side branches above begin here.</span>`}
    </p>
    <p>
      <span>${timeElement(writtenAt)}${author !== null && html` by <i>${clipText(author, maxAuthorLength)}</i>`}</span>
      <code>${snapshotId}</code>
      ${
        parentId !== null &&
        html`<a href="${links.diff(repository, parentId, snapshotId)}" rel="nofollow"
          >what changed<span class="spoken"> in ${title}</span></a
        >`
      }
    </p>
    ${remarkNotes(remarks, links)} ${marks && checkMarks(marks)} ${changes && changeList(changes)}
  </div>`
}

/** What a commit did to the paths that the page is about. */
function changeList({ nodes, count, unknown_reason: reason }: CommitChanges): Html {
  const shown = nodes.slice(0, maxChanges)
  const more = count - shown.length
  return html`<ul class="path-changes">
    ${shown.map(
      ({ path, changes, chunks, moved_from: movedFrom }) =>
        html`<li>
          <code>${clipText(path || '/', maxNameLength)}</code>
          ${changes.map((change) => (change === 'chunks' ? formatCount(chunks ?? 0, 'chunk') : change)).join(', ')}
          ${movedFrom !== null && html`from <code>${clipText(movedFrom || '/', maxNameLength)}</code>`}
        </li>`,
    )}
    ${more > 0 && html`<li>and ${more.toLocaleString('en')} more</li>`}
    ${reason !== null && html`<li>${unknownTexts[reason]}</li>`}
  </ul>`
}

const unknownTexts: Readonly<Record<NonNullable<CommitChanges['unknown_reason']>, string>> = {
  transaction_log_missing: 'Changed chunks are unknown: the transaction log of the commit is gone.',
  not_an_ancestor: 'Changed chunks are unknown: the parent of the commit is no ancestor any more.',
  unreadable: 'What the commit changed cannot be read.',
}

function refLabel(repository: string, { kind, name }: RefLabel, links: PageLinks): Html {
  return html`<a class="${kind}" href="${links.ref(repository, name)}"
    ><span class="spoken">${kind} </span>${clipText(name, maxNameLength)}</a
  >`
}
