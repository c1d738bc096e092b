// The first page of a deployment: its repositories, with what is wrong with them and how often they were updated.
import { type RepositoryState, repositoryStates, repositoryStateWords } from '@floe/contract/lists'
import { catalogueViews, linkDeploymentCatalogues } from '../catalogues/catalogue-links.ts'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import type { ShownDeployment } from '../page-subject.ts'
import { filterAbove } from '../parts/section.ts'
import { repositoryItem, type ShownRepository } from './repository-item.ts'

export type RepositoriesPageData = {
  readonly deployment: ShownDeployment
  /** The repositories of this page, in order. */
  readonly repositories: readonly ShownRepository[]
  /** Words that names must contain; empty for all names. */
  readonly filter: string
  /** Undefined for repositories in any state. */
  readonly state: RepositoryState | undefined
  /** How many of the repositories that the filter finds are in each state; without states in which none is. */
  readonly counts: ReadonlyMap<RepositoryState, number>
  /** Number of this page, from 1. */
  readonly page: number
  readonly pages: number
  /** Number of repositories that the filter finds, in any state. */
  readonly matches: number
  /** Number of repositories without the filter. */
  readonly total: number
}

export const repositoriesPerPage = 100

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
    ${(total > filterAbove || filter !== '') && filterForm(data, links)} ${stateLinks(data, links)}
    ${repositoryList(data, links)} ${pageLinks(data, links)}`,
  })
}

/** The form that filters the list. The server does it, because the page does not contain all repositories. */
function filterForm({ filter, state, matches, total }: RepositoriesPageData, links: PageLinks): Html {
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
    ${state && html`<input type="hidden" name="state" value="${state}" />`}
    <button>Filter</button>
    <output for="filter">${filter !== '' && `${matches.toLocaleString('en')} of `}${total.toLocaleString('en')}</output>
  </form>`
}

/** Links that show only the repositories in a state; none if nothing is wrong with any. */
function stateLinks({ filter, state: chosen, counts, matches }: RepositoriesPageData, links: PageLinks): Html | false {
  if (counts.size === 0 && chosen === undefined) return false
  const link = (state: RepositoryState | undefined, text: string, count: number) =>
    html`<a href="${links.repositories({ filter, state })}" ${state === chosen && html`aria-current="true"`}
      >${text} <span>${count.toLocaleString('en')}</span></a
    >`
  const shown = repositoryStates.filter((state) => counts.has(state) || state === chosen)
  return html`<nav class="chips states" aria-label="Repositories by their state">
    ${link(undefined, 'All', matches)}
    ${shown.map((state) => link(state, repositoryStateWords[state], counts.get(state) ?? 0))}
  </nav>`
}

function repositoryList({ repositories, state, total }: RepositoriesPageData, links: PageLinks): Html {
  if (total === 0) return html`<p class="note">This organisation has no repositories yet.</p>`
  if (repositories.length === 0) {
    return html`<p class="note">
      ${state ? 'No such repository is in this state.' : 'No repository name contains all of these words.'}
      <a href="${links.home}">Show all repositories</a>
    </p>`
  }
  return html`<ul class="repositories">
    ${repositories.map((repository) => repositoryItem(repository, links.repository(repository.name)))}
  </ul>`
}

function pageLinks({ filter, state, page, pages }: RepositoriesPageData, links: PageLinks): Html | false {
  if (pages <= 1) return false
  const link = (page: number) => links.repositories({ filter, state, page: page > 1 ? page : undefined })
  return html`<nav class="pages" aria-label="Pages of repositories">
    ${page > 1 && html`<a href="${link(page - 1)}" rel="prev">Previous</a>`}
    <span>Page ${page.toLocaleString('en')} of ${pages.toLocaleString('en')}</span>
    ${page < pages && html`<a href="${link(page + 1)}" rel="next">Next</a>`}
  </nav>`
}
