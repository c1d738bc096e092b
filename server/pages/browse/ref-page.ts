// The page of a branch, tag or snapshot: its groups as a tree.
import { filterAbove, filterBox } from '../filter-box.ts'
import { groupTree, type GroupSummary } from './group-tree.ts'
import { html } from '../html.ts'
import { layout } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { listBreadcrumbs, commitCard, listDocumentationLinks, nameRefKind, type PageSubject } from '../page-subject.ts'

/** Everything the page of a ref shows. */
export type RefPageData = {
  readonly at: PageSubject
  /** All groups, including the root group, sorted by UTF-8 bytes. */
  readonly groups: readonly GroupSummary[]
}

/** The page as a document. */
export function refPage({ at, groups }: RefPageData, links: PageLinks): string {
  const isLong = groups.length > filterAbove
  const datasets = groups.filter((group) => group.arrays > 0).length
  return layout({
    title: [`${at.repository} at ${at.ref.name}`, at.deployment.org],
    stylesheet: links.stylesheet,
    ...(isLong && { script: links.filterScript }),
    home: links.home,
    breadcrumbs: listBreadcrumbs(at, links),
    footer: listDocumentationLinks(links),
    showsMetadata: true,
    main: html`<div class="with-aside">
      <div class="masthead">
        <div>
          <p class="kind">${nameRefKind(at.ref.kind)} of ${at.repository}</p>
          <h1>${at.ref.name}</h1>
        </div>
      </div>
      <aside aria-label="Commit">${commitCard(at)}</aside>
      <div class="sections">
        <section class="section">
          <h2>
            Datasets <span>(${datasets.toLocaleString('en')} in ${groups.length.toLocaleString('en')} groups)</span>
          </h2>
          ${groups.length === 0 && html`<p class="note">This snapshot is empty.</p>`}
          ${isLong && filterBox('Filter groups', 'tree')}
          ${groupTree(groups, (path) => links.dataset(at.repository, at.ref.name, path))}
        </section>
      </div>
    </div>`,
  })
}
