// The page of a repository: its branches and tags, its newest commits, and a way to compare any two.
import { filterAbove, filterBox } from '../filter-box.ts'
import { compareForm } from '../diff/compare-form.ts'
import { historyGraph, type ShownHistory } from '../history/history-page.ts'
import { html, type Html } from '../html.ts'
import { layout } from '../layout.ts'
import { PageBudget, renderWithin } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { section } from '../section.ts'
import { type ShownDeployment, listDocumentationLinks } from '../page-subject.ts'

/** A branch or tag and the snapshot that it points to. */
type NamedSnapshot = { readonly name: string; readonly snapshotId: string }

/** Everything the page of a repository shows; both lists sorted by UTF-8 bytes. */
export type RepositoryPageData = {
  readonly deployment: ShownDeployment
  readonly name: string
  /** Its address in the store, without credentials; null when readers must not see it. */
  readonly location: string | null
  readonly formatVersion: number
  readonly branches: readonly NamedSnapshot[]
  readonly tags: readonly NamedSnapshot[]
  /** The newest commits of `main`, or why they cannot be read; null when there is no branch. */
  readonly history: ShownHistory | { readonly problem: string } | null
}

const listBytes = 400_000

/** The page as a document. */
export function repositoryPage(data: RepositoryPageData, links: PageLinks): string {
  const { deployment, name, branches, tags } = data
  const isLong = branches.length + tags.length > filterAbove
  return layout({
    title: [name, deployment.org],
    stylesheet: links.stylesheet,
    ...(isLong && { script: links.filterScript }),
    home: links.home,
    breadcrumbs: [
      { text: deployment.org, href: links.home, label: `Organisation ${deployment.org}` },
      { text: name, label: `Repository ${name}` },
    ],
    footer: listDocumentationLinks(links),
    showsMetadata: true,
    main: html`<div class="with-aside">
      <div class="masthead">
        <div>
          <p class="kind">Icechunk repository</p>
          <h1>${name}</h1>
        </div>
        <nav class="views" aria-label="Administration">
          <a href="${links.settings(name)}" rel="nofollow">Settings</a>
        </nav>
      </div>
      <aside aria-label="Repository">${facts(data)}</aside>
      <div class="sections">
        ${historySection(data, links)} ${isLong && filterBox('Filter branches and tags', 'refs')}
        ${refSection('branches', 'Branches', branches, data, links)} ${refSection('tags', 'Tags', tags, data, links)}
      </div>
    </div>`,
  })
}

function historySection({ name, branches, tags, history }: RepositoryPageData, links: PageLinks): Html | undefined {
  if (history === null) return undefined
  if ('problem' in history) {
    return html`<section class="section">
      <h2>Commits</h2>
      <p class="note">They cannot be read: ${history.problem}</p>
    </section>`
  }
  const { ref, commits } = history
  const [newest, before] = commits
  const chosen = { from: before?.snapshotId ?? newest?.snapshotId ?? '', to: ref.name }
  const names = [...branches, ...tags].map((ref) => ref.name)
  return html`<section class="section" id="commits">
    <h2>Commits <span>newest of ${ref.name}</span></h2>
    ${historyGraph(name, history, links)}
    <p class="note"><a href="${links.history(name, ref.name)}">The whole history of ${ref.name}</a></p>
    ${compareForm(name, names, chosen, links)}
  </section>`
}

function facts({ location, formatVersion }: RepositoryPageData): Html {
  return html`<dl class="commit">
    ${
      location !== null &&
      html`<dt>Location</dt>
        <dd><code>${location}</code></dd>`
    }
    <dt>Format version</dt>
    <dd>${formatVersion}</dd>
  </dl>`
}

function refSection(
  id: string,
  title: string,
  refs: readonly NamedSnapshot[],
  { name: repository }: RepositoryPageData,
  links: PageLinks,
): Html {
  const { rendered, leftOut } = renderWithin(
    new PageBudget(listBytes),
    refs,
    ({ name, snapshotId }) =>
      html`<li>
        <a href="${links.ref(repository, name)}">${name}</a> <code>${snapshotId}</code>
        <a href="${links.history(repository, name)}">history<span class="spoken"> of ${name}</span></a>
      </li>`,
  )
  return section({
    id,
    title,
    count: refs.length,
    isOpen: true,
    content: html`<ul class="refs">
        ${rendered}
      </ul>
      ${leftOut > 0 && html`<p class="note">${leftOut.toLocaleString('en')} more are not shown.</p>`}`,
  })
}
