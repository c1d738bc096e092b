// The first page of a deployment: its repositories, each with its newest recorded commit.
import { catalogueViews, linkDeploymentCatalogues } from '../catalogues/catalogue-links.ts'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { byline, getCommitTitle, type ShownCommit, type ShownDeployment, timeElement } from '../page-subject.ts'
import { filterAbove } from '../parts/section.ts'
import { type ExpectedBranch, showExpectedBranch } from './expected-branch.ts'

type RepositorySummary = {
  readonly name: string
  /** Null until the repository has been read. */
  readonly formatVersion: number | null
  /** Null until the repository has been read; it may be unreadable. */
  readonly lastCommit: ShownCommit | null
  /** Since when it cannot be read; null if it can, or is not known to be unreadable. */
  readonly unreadableSince: Date | null
  /** What is expected of its branches, unmet ones first. */
  readonly expectations: readonly ExpectedBranch[]
}

export type RepositoriesPageData = {
  readonly deployment: ShownDeployment
  /** The repositories of this page, sorted by UTF-8 bytes. */
  readonly repositories: readonly RepositorySummary[]
  /** Words that names must contain; empty for all names. */
  readonly filter: string
  /** Number of this page, from 1. */
  readonly page: number
  readonly pages: number
  /** Number of repositories on all pages. */
  readonly matches: number
  /** Number of repositories without the filter. */
  readonly total: number
}

export const repositoriesPerPage = 100

/** Expectations that are shown for each repository. The page of the repository shows all. */
const maxExpectations = 3

/** A page of the list of repositories. */
export function repositoriesPage(data: RepositoriesPageData, links: PageLinks): string {
  const { deployment, filter, total } = data
  const catalogues = linkDeploymentCatalogues(deployment, links)
  const otherPages = html`<nav class="views" aria-label="About this organisation">
    <a href="${links.settings()}" rel="nofollow">Settings</a>
    ${catalogueViews(catalogues)}
  </nav>`
  return deploymentLayout(links, {
    deployment,
    title: [deployment.org, deployment.name],
    alternates: catalogues,
    breadcrumbs: [{ text: deployment.org, label: `Organisation ${deployment.org}` }],
    main: html`${masthead(`Icechunk repositories of deployment ${deployment.name}`, deployment.org, otherPages)}
    ${(total > filterAbove || filter !== '') && filterForm(data, links)} ${repositoryList(data, links)}
    ${pageLinks(data, links)}`,
  })
}

/** The form that filters the list. The server does it, because the page does not contain all repositories. */
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
    return html`<p class="note">
      No repository name contains all of these words. <a href="${links.home}">Show all repositories</a>
    </p>`
  }
  return html`<ul class="repositories">
    ${repositories.map(
      (repository) =>
        html`<li>
          <a href="${links.repository(repository.name)}">${repository.name}</a> ${describeState(repository)}
          ${describeExpectations(repository)}
        </li>`,
    )}
  </ul>`
}

function describeState({ lastCommit, formatVersion, unreadableSince }: RepositorySummary): Html {
  if (unreadableSince !== null) {
    return html`<p class="unread">
      Cannot be read since
      ${timeElement(unreadableSince)}.${lastCommit !== null && ` Last commit seen: ${getCommitTitle(lastCommit)}`}
    </p>`
  }
  if (lastCommit === null) return html`<p class="unread">Not read yet, or cannot be read.</p>`
  return html`<p>${getCommitTitle(lastCommit)}</p>
    <p>${byline(lastCommit)}</p>
    ${formatVersion !== null && html`<p>format ${formatVersion}</p>`}`
}

/** Without those of a repository that cannot be read, because nobody knows whether it was updated. */
function describeExpectations({ expectations, unreadableSince }: RepositorySummary): Html | false {
  if (unreadableSince !== null || expectations.length === 0) return false
  const left = expectations.length - maxExpectations
  return html`<p class="expected">
    ${expectations.slice(0, maxExpectations).map((one) => html`<span>${showExpectedBranch(one)}</span> `)}
    ${left > 0 && `and ${left} more`}
  </p>`
}

function pageLinks({ filter, page, pages }: RepositoriesPageData, links: PageLinks): Html | false {
  if (pages <= 1) return false
  return html`<nav class="pages" aria-label="Pages of repositories">
    ${page > 1 && html`<a href="${links.repositories(filter, page - 1)}" rel="prev">Previous</a>`}
    <span>Page ${page.toLocaleString('en')} of ${pages.toLocaleString('en')}</span>
    ${page < pages && html`<a href="${links.repositories(filter, page + 1)}" rel="next">Next</a>`}
  </nav>`
}
