// The page of a branch, tag or snapshot: its groups as a tree.
import { commitCard } from '../parts/commit-card.ts'
import { html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import { linkFeed, type PageLinks } from '../page-links.ts'
import { listRefBreadcrumbs, nameRefKind, type PageSubject } from '../page-subject.ts'
import { remarkNotes } from '../parts/remark-notes.ts'
import { filterAbove, filterBox } from '../parts/section.ts'
import { groupTree, type GroupSummary } from './group-tree.ts'

export type RefPageData = {
  readonly at: PageSubject
  /** All groups, including the root group, sorted by UTF-8 bytes. */
  readonly groups: readonly GroupSummary[]
  /** Why there can be none; null if there can. */
  readonly reason: string | null
}

/** The page of a ref. */
export function refPage({ at, groups, reason }: RefPageData, links: PageLinks): string {
  const isLong = groups.length > filterAbove
  const datasets = groups.filter((group) => group.arrays > 0).length
  const nothing = reason === null ? 'This snapshot is empty' : `There are no groups: ${reason}`
  return deploymentLayout(links, {
    deployment: at.deployment,
    title: [`${at.repository} at ${at.ref.name}`, at.deployment.org],
    alternates: [linkFeed(at.repository, at.ref.name, links)],
    scripts: [isLong && 'filter', 'copy'],
    breadcrumbs: listRefBreadcrumbs(at, links),
    main: html`<div class="with-aside">
      ${masthead(`${nameRefKind(at.ref.kind)} of ${at.repository}`, at.ref.name)} ${remarkNotes(at.remarks, links)}
      <aside aria-label="Commit">${commitCard(at, links)}</aside>
      <div class="sections">
        <section class="section">
          <h2>Datasets <span>(${datasets.toLocaleString('en')})</span></h2>
          ${groups.length === 0 && html`<p class="note">${nothing}.</p>`}
          ${isLong && filterBox('Filter groups', 'tree')}
          ${groupTree(groups, (path) => links.dataset(at.repository, at.ref.name, path))}
        </section>
      </div>
    </div>`,
  })
}
