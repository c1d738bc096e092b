// The page of the positions whose chunks are not written.
import type { ArrayGaps } from '@floe/contract'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import { clipText, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import { makeVariableId, type PageLinks } from '../page-links.ts'
import { listRefBreadcrumbs, type PageSubject } from '../page-subject.ts'
import { describeWritten } from '../parts/written-chunks.ts'
import { gapStrip, stripLegend } from './gap-strip.ts'
import { pathForm } from '../parts/path-form.ts'

/** The members of the query that all pages of a list share. */
type GapsSelection = {
  readonly group?: string | undefined
  readonly path?: string | undefined
  readonly along?: string | undefined
  readonly limit?: number | undefined
}

export type GapsPageData = {
  readonly deployment: PageSubject['deployment']
  readonly repository: string
  readonly ref: PageSubject['ref']
  readonly selection: GapsSelection
  /** In the order of the paths. */
  readonly arrays: readonly ArrayGaps[]
  /** The path after which the next page begins; null on the last page. */
  readonly next: string | null
}

const pathWords = { some: 'Only arrays with this path', all: 'All arrays' }

/** A page of the list of arrays. */
export function gapsPage(data: GapsPageData, links: PageLinks): string {
  const { deployment, repository, ref, selection } = data
  const { group = '' } = selection
  const views = html`<nav class="views" aria-label="About these arrays">
    <a href="${links.dataset(repository, ref.name, group)}">${group === '' ? 'Root group' : `Group ${group}`}</a>
    <a href="${links.completeness(repository, ref.name, group)}">Counts as JSON</a>
  </nav>`
  return deploymentLayout(links, {
    deployment,
    title: [`Gaps of ${ref.name}`, repository, deployment.org],
    breadcrumbs: [...listRefBreadcrumbs({ deployment, repository, ref }, links), { text: 'gaps' }],
    main: html`${masthead(`Chunks that are not written in ${repository}`, ref.name, views)}
      ${pathForm(pathWords, selection, (query) => links.gaps(repository, ref.name, query))}
      <section class="section">
        <h2>Arrays <span>(${data.arrays.length.toLocaleString('en')})</span></h2>
        ${data.arrays.length > 0 && stripLegend()} ${arrayList(data, links)}
        <p class="note">
          Positions count chunks, and with sharding shards. Chunks that are not written read as the fill value. What is
          empty at every position is no gap.
        </p>
      </section>
      ${pageLinks(data, links)}`,
  })
}

const maxListBytes = 1_200_000

/** Arrays with gaps come first, then those with unknown gaps. */
function arrayList(data: GapsPageData, links: PageLinks): Html {
  const { arrays } = data
  const hasGaps = (array: ArrayGaps) => array.gaps.length > 0
  const sorted = [
    ...arrays.filter(hasGaps),
    ...arrays.filter((array) => array.chunks === null),
    ...arrays.filter((array) => array.chunks !== null && !hasGaps(array)),
  ]
  const { rendered, leftOut } = renderWithin(new PageBudget(maxListBytes), sorted, (array) =>
    arrayItem(array, data, links),
  )
  return html`${arrays.length === 0 && html`<p class="note">There are no such arrays.</p>`}
    <ul class="gap-arrays">
      ${rendered}
    </ul>
    ${moreNote(leftOut, 'arrays do not fit on the page. A smaller limit shows them.')}`
}

const maxPathLength = 1_000

/** A complete array has no strip. */
function arrayItem(array: ArrayGaps, { repository, ref, selection }: GapsPageData, links: PageLinks): Html {
  const { path, chunks, outside } = array
  const isComplete = chunks !== null && chunks.written === chunks.total && outside === 0
  const nameStart = path.lastIndexOf('/') + 1
  const group = path.slice(0, Math.max(0, nameStart - 1))
  const address = `${links.dataset(repository, ref.name, group)}#${makeVariableId(path.slice(nameStart))}`
  const others = otherDimensions(array, (along) => links.gaps(repository, ref.name, { ...selection, along }))
  return html`<li>
    <h3><a href="${address}">${clipText(path, maxPathLength)}</a></h3>
    <small>${chunks && describeWritten(chunks, 'chunk')}</small>
    ${!isComplete && gapStrip(array, others)}
  </li>`
}

/** Maximum number of other dimensions to which a list links. */
const maxDimensions = 8

/** Links to the same list along other dimensions with more than one position. */
function otherDimensions({ along, dimensions }: ArrayGaps, link: (along: string) => string): Html | false {
  const others = dimensions.filter(({ name, positions }) => name !== along && positions > 1 && name.length <= 255)
  return (
    others.length > 0 &&
    html`Along
    ${others.slice(0, maxDimensions).map(({ name }) => html`<a href="${link(name)}" rel="nofollow">${name}</a> `)}`
  )
}

function pageLinks({ repository, ref, selection, next }: GapsPageData, links: PageLinks): Html | false {
  return (
    next !== null &&
    html`<nav class="pages" aria-label="Pages of arrays">
      <a href="${links.gaps(repository, ref.name, { ...selection, after: next })}" rel="next">Next arrays</a>
    </nav>`
  )
}
