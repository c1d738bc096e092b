// The first page of a deployment: its repositories, each with its last commit.
import { filterAbove, filterBox } from '../filter-box.ts'
import { html, type Html } from '../html.ts'
import { layout } from '../layout.ts'
import { clipText, PageBudget, renderWithin } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { type ShownDeployment, listDocumentationLinks, type ShownCommit, timeElement } from '../standpoint.ts'

/** A repository with its last commit, or the reason why it cannot be read. */
export type RepositorySummary =
  | {
      readonly state: 'readable'
      readonly name: string
      readonly formatVersion: number
      /** The head of `main`. */
      readonly lastCommit: ShownCommit
    }
  | { readonly state: 'unreadable'; readonly name: string; readonly reason: string }

/** Everything the page shows; repositories sorted by UTF-8 bytes. */
export type RepositoriesPageData = {
  readonly deployment: ShownDeployment
  readonly repositories: readonly RepositorySummary[]
}

const listBytes = 1_400_000
const maxMessageLength = 200

/** The page as a document. */
export function repositoriesPage({ deployment, repositories }: RepositoriesPageData, links: PageLinks): string {
  const isLong = repositories.length > filterAbove
  return layout({
    title: [deployment.org, deployment.name],
    stylesheet: links.stylesheet,
    ...(isLong && { script: links.filterScript }),
    home: links.home,
    breadcrumbs: [{ text: deployment.org, label: `Organisation ${deployment.org}` }],
    footer: listDocumentationLinks(links),
    showsMetadata: true,
    main: html`<div class="masthead">
        <div>
          <p class="kind">Icechunk repositories served as ${deployment.name}</p>
          <h1>${deployment.org}</h1>
        </div>
        <nav class="views" aria-label="Programming interface">
          ${listDocumentationLinks(links).map((link) => html`<a href="${link.href}">${link.text}</a>`)}
        </nav>
      </div>
      ${isLong && filterBox('Filter repositories', 'repositories')} ${repositoryList(repositories, links)}`,
  })
}

function repositoryList(repositories: readonly RepositorySummary[], links: PageLinks): Html {
  if (repositories.length === 0) return html`<p class="note">This organisation has no repositories yet.</p>`
  const { rendered, leftOut } = renderWithin(new PageBudget(listBytes), repositories, (repository) => {
    return html`<li>
      <a href="${links.repository(repository.name)}">${repository.name}</a> ${describeState(repository)}
    </li>`
  })
  return html`<ul class="repositories">
      ${rendered}
    </ul>
    ${leftOut > 0 && html`<p class="note">${leftOut.toLocaleString('en')} more are not shown.</p>`}`
}

function describeState(repository: RepositorySummary): Html {
  if (repository.state === 'unreadable') {
    return html`<p class="unreadable">
      <strong>Cannot be read:</strong> ${clipText(repository.reason, maxMessageLength)}
    </p>`
  }
  const { lastCommit, formatVersion } = repository
  const [firstLine = ''] = lastCommit.message.split('\n', 1)
  return html`<p>${clipText(firstLine, maxMessageLength)}</p>
    <p>
      ${timeElement(lastCommit.writtenAt)}${lastCommit.author !== null && html` by <span>${lastCommit.author}</span>`}
    </p>
    <p>format ${formatVersion}</p>`
}
