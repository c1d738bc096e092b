// What a branch, tag or snapshot holds: its groups as a tree.
import { filterBox } from '../filter-box.ts'
import { groupTree, type GroupSummary } from './group-tree.ts'
import { html } from '../html.ts'
import { layout } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { breadcrumbsTo, commitCard, documentationLinks, refKindText, type Standpoint } from '../standpoint.ts'

/** Everything the page of a ref shows. */
export type RefPageData = {
  readonly at: Standpoint
  /** Every group, the root group included, sorted by UTF-8 bytes. */
  readonly groups: readonly GroupSummary[]
}

/** Above this many groups the page offers to filter them. */
const filterAbove = 20

/** The page as a document. */
export function refPage({ at, groups }: RefPageData, links: PageLinks): string {
  const isLong = groups.length > filterAbove
  const datasets = groups.filter((group) => group.arrays > 0).length
  return layout({
    title: [`${at.repository} at ${at.ref.name}`, at.deployment.org],
    stylesheet: links.stylesheet,
    ...(isLong && { script: links.filterScript }),
    home: links.home,
    breadcrumbs: breadcrumbsTo(at, links),
    footer: documentationLinks(links),
    showsMetadata: true,
    main: html`<div class="with-aside">
      <div class="masthead">
        <div>
          <p class="kind">${refKindText(at.ref.kind)} of ${at.repository}</p>
          <h1>${at.ref.name}</h1>
        </div>
      </div>
      <aside aria-label="Commit">${commitCard(at)}</aside>
      <div class="sections">
        <section class="section">
          <h2>
            Datasets <span>(${datasets.toLocaleString('en')} in ${groups.length.toLocaleString('en')} groups)</span>
          </h2>
          ${groups.length === 0 && html`<p class="note">This snapshot holds nothing yet.</p>`}
          ${isLong && filterBox('Filter groups', 'tree')}
          ${groupTree(groups, (path) => links.dataset(at.repository, at.ref.name, path))}
        </section>
      </div>
    </div>`,
  })
}
