// The commits of a graph as a list. Each row draws its part of the lanes, so rows may have any height.
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { showTitle, timeElement } from '../page-subject.ts'
import type { GraphRow, RefLabel } from './commit-graph.ts'

/** Width of a lane, and where the commit of a row is, in pixels from its top. */
const laneWidth = 16
const dotTop = 20

/** Classes of the lanes from the left, repeated. */
const laneColours = ['trunk', 'second', 'third', 'fourth']
const laneColour = (lane: number) => laneColours[lane % laneColours.length]

const maxAuthorLength = 200
/** Maximum number of branches and tags in a row; the others are counted. */
const maxLabels = 6
const maxNameLength = 100

export function graphList(repository: string, rows: readonly GraphRow[], links: PageLinks): Html {
  const lanes = 1 + rows.reduce((last, { lane, above }) => Math.max(last, lane, ...above), 0)
  return html`<ol class="graph">
    ${rows.map((row) => html`<li>${laneDrawing(row, lanes)}${commitText(repository, row, links)}</li>`)}
  </ol>`
}

/** Screen readers skip the drawing: the text of a row says on which branch it is, and where a branch begins. */
function laneDrawing({ lane, above, below, joining }: GraphRow, lanes: number): Html {
  const x = (at: number) => laneWidth / 2 + at * laneWidth
  const bent = new Set(joining)
  const straight = (at: number, from: string, to: string) =>
    html`<line class="${laneColour(at)}" x1="${x(at)}" x2="${x(at)}" y1="${from}" y2="${to}" />`
  return html`<svg width="${lanes * laneWidth}" aria-hidden="true">
    ${above.map((at) => {
      if (bent.has(at)) {
        return html`<path
          class="${laneColour(at)}"
          d="M${x(at)} 0C${x(at)} ${dotTop} ${x(lane)} 0 ${x(lane)} ${dotTop}"
        />`
      }
      return straight(at, '0', at === lane || !below.includes(at) ? String(dotTop) : '100%')
    })}
    ${below.filter((at) => at === lane || !above.includes(at)).map((at) => straight(at, String(dotTop), '100%'))}
    <circle class="${laneColour(lane)}" cx="${x(lane)}" cy="${dotTop}" r="5" />
  </svg>`
}

function commitText(repository: string, { commit, lane, joining }: GraphRow, links: PageLinks): Html {
  const { snapshotId, parentId, author, writtenAt, refs } = commit
  const title = showTitle(commit)
  return html`<div>
    <p>
      <a href="${links.ref(repository, snapshotId)}">${title}</a>
      ${refs.slice(0, maxLabels).map((label) => refLabel(repository, label, links))}
      ${refs.length > maxLabels && html`<small>and ${(refs.length - maxLabels).toLocaleString('en')} more</small>`}
      ${lane > 0 && html`<span class="spoken">On a side branch.</span>`}
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
  </div>`
}

function refLabel(repository: string, { kind, name }: RefLabel, links: PageLinks): Html {
  return html`<a class="${kind}" href="${links.ref(repository, name)}"
    ><span class="spoken">${kind} </span>${clipText(name, maxNameLength)}</a
  >`
}
