// The search page: the form, the datasets found, and values that narrow the search (facets).
import type { SearchAnswer } from '@floe/contract'
import { searchFacets, searchLimits } from '@floe/contract/constants'
import { formatTime } from '../../pages/dataset/drawings/coverage-section.ts'
import { formatCount } from '../../pages/parts/format-count.ts'
import { html, type Html } from '../../pages/html.ts'
import { deploymentLayout, feedViews, masthead } from '../../pages/layout.ts'
import { clipText, moreNote, PageBudget, renderWithin } from '../../pages/page-budget.ts'
import type { PageLinks } from '../../pages/page-links.ts'
import type { ShownDeployment } from '../../pages/page-subject.ts'
import { areaMap } from './area-map.ts'
import { type ExactDataset, foundDataset } from './found-dataset.ts'
import { conditionList, searchForm } from './search-form.ts'
import {
  linkSearchFeed,
  listConditions,
  listValues,
  parameterNames,
  type SearchQuery,
  toggle,
  without,
} from './search-query.ts'

/** An answer with exact sizes. */
export type ExactAnswer = Omit<SearchAnswer, 'results'> & { readonly results: readonly ExactDataset[] }

export type SearchPageData = { readonly deployment: ShownDeployment; readonly query: SearchQuery } & (
  | { readonly answer: ExactAnswer }
  /** Why the query is not valid, such as an area with three numbers. */
  | { readonly problem: string }
)

type Results = { readonly query: SearchQuery; readonly answer: ExactAnswer }

const resultBytes = 1_000_000
const facetBytes = 400_000

/** Number of values of a facet that are shown; the others are folded. */
const unfoldedValues = 6

/** Longer values are cut, in characters. */
const maxLength = 100

/** The search page. */
export function searchPage(data: SearchPageData, links: PageLinks): string {
  const { deployment, query } = data
  const facets = 'answer' in data && facetAside(data, links)
  const feed = 'answer' in data ? linkSearchFeed(query, links) : undefined
  return deploymentLayout(links, {
    deployment,
    hasSearchForm: true,
    scripts: ['area'],
    alternates: feed ? [feed] : [],
    title: [...listValues(query, 'q').map((words) => clipText(words, maxLength)), 'Search', deployment.org],
    breadcrumbs: [
      { text: deployment.org, href: links.home, label: `Organisation ${deployment.org}` },
      { text: 'search' },
    ],
    main: html`<div class="${facets && 'with-aside'}">
      ${masthead(`Datasets of deployment ${deployment.name}`, 'Search', feed && feedViews(feed))}
      <div class="sections">
        ${searchForm(query, links)} ${areaMap(query, 'answer' in data ? data.answer.results : [])}
        ${conditionList(query, links)} ${'answer' in data ? resultList(data, links) : refusal(data.problem)}
      </div>
      ${facets}
    </div>`,
  })
}

function refusal(problem: string): Html {
  return html`<div class="refusal" role="alert">
    <h2>This search is not valid</h2>
    <p>${problem}</p>
  </div>`
}

function resultList(results: Results, links: PageLinks): Html {
  const { answer, query } = results
  const { rendered, leftOut } = renderWithin(new PageBudget(resultBytes), answer.results, (dataset) =>
    foundDataset(dataset, links),
  )
  const isContinued = listValues(query, 'before').length > 0
  return html`<h2 class="total">
      ${countTotal(answer)} ${isContinued && html`<span>(continued)</span>`}
      ${hasFacets(answer) && html`<a href="#facets">Narrow the search</a>`}
    </h2>
    ${answer.total > 1 && sortLink(results, links)}
    ${!answer.total_is_exact && html`<p class="note">Add a word or choose a value to find fewer datasets.</p>`}
    ${answer.total === 0 && [...unknownWordNotes(results, links), emptyNote(results, links)]}
    <ul class="found">
      ${rendered}
    </ul>
    ${moreNote(leftOut, 'do not fit on this page. Add limit=10 to its address to see them.')}
    ${extentNote(results, links)} ${indexNotes(answer.index)}
    ${(isContinued || answer.next !== null) && pageLinks(results, links, isContinued)}`
}

/** A link to the results in the other order. */
function sortLink({ query }: Results, links: PageLinks): Html {
  const isByChange = query.sort === 'changed'
  const address = links.search({ ...without(query), sort: isByChange ? '' : 'changed' })
  return html`<p class="note">
    ${isByChange ? 'Last changed first.' : 'Best match first.'}
    <a href="${address}">${isByChange ? 'Show the best match first' : 'Show the last changed first'}</a>
  </p>`
}

function pageLinks({ answer, query }: Results, links: PageLinks, isContinued: boolean): Html {
  return html`<nav class="pages" aria-label="Pages of results">
    ${isContinued && html`<a href="${links.search(without(query))}">First results</a>`}
    ${
      answer.next !== null &&
      html`<a href="${links.search({ ...without(query), before: answer.next })}" rel="next">Next</a>`
    }
  </nav>`
}

function countTotal({ total, total_is_exact }: ExactAnswer): string {
  if (total === 0) return 'No datasets found'
  return total_is_exact ? formatCount(total, 'dataset') : `${total.toLocaleString('en')} or more datasets`
}

/** Says why nothing was found, with a link to the search without each of several conditions. */
function emptyNote({ answer, query }: Results, links: PageLinks): Html | false {
  const conditions = listConditions(query)
  if (answer.index.repositories === 0) return html`<p class="note">There are no repositories to search.</p>`
  if (conditions.length === 0) return html`<p class="note">No datasets are indexed.</p>`
  // The only condition stands above the results, with a link that removes it.
  if (conditions.length === 1) return false
  return html`<p class="note">No dataset meets all conditions. Search without one of them:</p>
    <dl>
      ${conditions.map(({ name, values }) => {
        const texts = values.map((value, index) => html`${index > 0 && ' or '}<b>${clipText(value, maxLength)}</b>`)
        const label = html`search without<span class="spoken"> ${parameterNames[name]}</span>`
        return html`<dt>${parameterNames[name]}</dt>
          <dd>${texts} · <a href="${links.search(without(query, name))}">${label}</a></dd>`
      })}
    </dl>`
}

/** Says which words no dataset has, with links to the search with near words, or in a repository so named. */
function unknownWordNotes({ answer, query }: Results, links: PageLinks): readonly Html[] {
  const replace = (word: string, near: string) => replaceWord(query.q ?? '', word, near)
  return answer.unknown_words.map(({ word, near, repository }) => {
    const nearLinks = near.map((other, index) => {
      const address = links.search({ ...without(query), q: replace(word, other) })
      return html`${index > 0 && ', '}<a href="${address}">${other}</a>`
    })
    const inRepository =
      repository !== null &&
      html` <a href="${links.search({ ...without(query), q: replace(word, ''), repo: repository })}"
        >Search in ${clipText(repository, maxLength)}</a
      >`
    return html`<p class="note">
      No dataset has <b>${clipText(word, maxLength)}</b>.
      ${near.length > 0 && html`Did you mean ${nearLinks}?`}${inRepository}
    </p>`
  })
}

/** Replaces a word, which has no accents. If the query has it only with accents, the near word replaces all of it. */
function replaceWord(query: string, word: string, near: string): string {
  const start = query.toLowerCase().indexOf(word)
  return start < 0 ? near : query.slice(0, start) + near + query.slice(start + word.length)
}

/** Says how many datasets were left out because their attributes state no area or time. */
function extentNote({ answer: { without_extent: count }, query }: Results, links: PageLinks): Html | false {
  const conditions = (['bbox', 'time'] as const).filter((name) => listValues(query, name).length > 0)
  const names = conditions.map((name) => parameterNames[name].toLowerCase()).join(' or ')
  return (
    count !== null &&
    count > 0 &&
    html`<p class="note">
      Not included: ${formatCount(count, 'dataset')} whose attributes state no ${names}.
      <a href="${links.search(without(query, ...conditions))}">Search without ${names}</a>
    </p>`
  )
}

function indexNotes({ repositories, pending, failed, oldest, omitted }: SearchAnswer['index']): Html {
  const since = oldest !== null && html` (the oldest since ${formatTime(new Date(oldest))})`
  const all = repositories.toLocaleString('en')
  return html`${
    pending > 0 &&
    html`<p class="note">
      The newest commits of ${pending.toLocaleString('en')} of ${all} repositories are not indexed
      yet${since}${failed > 0 && `; ${failed.toLocaleString('en')} of them could not be read`}. Their datasets may be
      missing or outdated here.
    </p>`
  }
  ${
    omitted > 0 &&
    html`<p class="note">
      Left out: ${formatCount(omitted, 'dataset')}, because
      ${omitted === 1 ? 'its repository has' : 'their repositories have'} too many datasets or words.
    </p>`
  }`
}

function hasFacets({ facets }: ExactAnswer): boolean {
  return searchFacets.some((name) => facets[name]?.length)
}

/** The values of the results. Each is a link that adds the value to the search, or removes it. */
function facetAside({ answer, query }: Results, links: PageLinks): Html | false {
  if (!hasFacets(answer)) return false
  const budget = new PageBudget(facetBytes)
  const { facetDatasets } = searchLimits
  const chosen = html`<span aria-hidden="true">✓ </span><span class="spoken">Remove </span>`
  return html`<aside class="facets" id="facets" aria-label="Narrow the search">
    ${
      answer.total > facetDatasets &&
      html`<p class="note">Counted in the first ${facetDatasets.toLocaleString('en')} datasets only.</p>`
    }
    ${searchFacets.map((name) => {
      const values = listValues(query, name)
      const { rendered } = renderWithin(budget, answer.facets[name] ?? [], ({ value, count }) => {
        const text = html`${values.includes(value) && chosen}${clipText(value, maxLength)}`
        return html`<li>
          <a href="${links.search(toggle(query, name, value))}">${text}</a> <small>${count.toLocaleString('en')}</small>
        </li>`
      })
      return rendered.length > 0 && facet(parameterNames[name], rendered)
    })}
  </aside>`
}

function facet(title: string, values: readonly Html[]): Html {
  const folded = values.slice(unfoldedValues)
  const more = html`<details>
    <summary>${folded.length} more<span class="spoken"> of ${title}</span></summary>
    <ul>
      ${folded}
    </ul>
  </details>`
  return html`<section>
    <h2>${title}</h2>
    <ul>
      ${values.slice(0, unfoldedValues)}
    </ul>
    ${folded.length > 0 && more}
  </section>`
}
