// The first page of a deployment: its repositories, each with the last commit that was seen.
import { filterAbove } from '../filter-box.ts'
import { html, type Html } from '../html.ts'
import { layout } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { byline, listDocumentationLinks, type ShownCommit, type ShownDeployment, showTitle } from '../page-subject.ts'

/** A repository and the head of its `main`. */
type RepositorySummary = {
  readonly name: string
  /** Null until it was seen. */
  readonly formatVersion: number | null
  readonly lastCommit: ShownCommit | null
}

/** Everything the page shows. */
export type RepositoriesPageData = {
  readonly deployment: ShownDeployment
  /** Those of this page, sorted by UTF-8 bytes. */
  readonly repositories: readonly RepositorySummary[]
  /** The words that names must have; empty for all. */
  readonly filter: string
  /** Number of this page, from 1. */
  readonly page: number
  readonly pages: number
  /** Repositories on all pages. */
  readonly matches: number
  /** Repositories with any name. */
  readonly total: number
}

/** Repositories on one page. */
export const repositoriesPerPage = 100

/** The page as a document. */
export function repositoriesPage(data: RepositoriesPageData, links: PageLinks): string {
  const { deployment, filter, total } = data
  return layout({
    title: [deployment.org, deployment.name],
    stylesheet: links.stylesheet,
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
      ${(total > filterAbove || filter !== '') && filterForm(data, links)} ${repositoryList(data, links)}
      ${pageLinks(data, links)}`,
  })
}

/** Narrows the list on the server, because the page does not hold all repositories. */
function filterForm({ filter, matches, total }: RepositoriesPageData, links: PageLinks): Html {
  return html`<form class="filter" role="search" action="${links.home}">
    <label for="filter">Filter repositories</label>
    <input
      id="filter"
      name="filter"
      type="search"
      value="${filter}"
      maxlength="255"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />
    <button>Filter</button>
    <output for="filter">${filter !== '' && `${matches.toLocaleString('en')} of `}${total.toLocaleString('en')}</output>
  </form>`
}

function repositoryList({ repositories, total }: RepositoriesPageData, links: PageLinks): Html {
  if (total === 0) return html`<p class="note">This organisation has no repositories yet.</p>`
  if (repositories.length === 0) {
    return html`<p class="note">No name has all of these words. <a href="${links.home}">Show all repositories</a></p>`
  }
  return html`<ul class="repositories">
    ${repositories.map(
      (repository) =>
        html`<li>
          <a href="${links.repository(repository.name)}">${repository.name}</a> ${describeState(repository)}
        </li>`,
    )}
  </ul>`
}

function describeState({ lastCommit, formatVersion }: RepositorySummary): Html {
  if (lastCommit === null) return html`<p class="unseen">No commit has been seen yet.</p>`
  return html`<p>${showTitle(lastCommit)}</p>
    <p>${byline(lastCommit)}</p>
    ${formatVersion !== null && html`<p>format ${formatVersion}</p>`}`
}

function pageLinks({ filter, page, pages }: RepositoriesPageData, links: PageLinks): Html | false {
  if (pages <= 1) return false
  return html`<nav class="pages" aria-label="Pages of repositories">
    ${page > 1 && html`<a href="${links.repositories(filter, page - 1)}" rel="prev">Previous</a>`}
    <span>Page ${page.toLocaleString('en')} of ${pages.toLocaleString('en')}</span>
    ${page < pages && html`<a href="${links.repositories(filter, page + 1)}" rel="next">Next</a>`}
  </nav>`
}
