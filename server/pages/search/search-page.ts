// The page of a search: the form, the datasets that were found, and values that narrow the search.
import { type SearchAnswer, searchFacets, searchLimits } from '@floe/contract'
import { formatCount } from '../child-groups.ts'
import { formatTime } from '../dataset/drawings/coverage-section.ts'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import { clipText, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import type { ShownDeployment } from '../page-subject.ts'
import { foundDataset } from './found-dataset.ts'
import { conditionList, searchForm } from './search-form.ts'
import { listConditions, listValues, parameterNames, type SearchQuery, toggle, without } from './search-query.ts'

export type SearchPageData = { readonly deployment: ShownDeployment; readonly query: SearchQuery } & (
  | { readonly answer: SearchAnswer }
  /** Why the query makes no sense, such as a box with three numbers. */
  | { readonly problem: string }
)

type Found = { readonly query: SearchQuery; readonly answer: SearchAnswer }

const resultBytes = 1_000_000
const facetBytes = 400_000

/** Values of a facet that are shown at once; the others are folded. */
const unfoldedValues = 6

/** Longer values are cut, in characters. */
const maxLength = 100

export function searchPage(data: SearchPageData, links: PageLinks): string {
  const { deployment, query } = data
  const facets = 'answer' in data && facetAside(data, links)
  return deploymentLayout(links, {
    deployment,
    hasSearchForm: true,
    title: [...listValues(query, 'q').map((words) => clipText(words, maxLength)), 'Search', deployment.org],
    breadcrumbs: [
      { text: deployment.org, href: links.home, label: `Organisation ${deployment.org}` },
      { text: 'search' },
    ],
    main: html`<div class="${facets && 'with-aside'}">
      ${masthead(`Datasets of deployment ${deployment.name}`, 'Search')}
      <div class="sections">
        ${searchForm(query, links)} ${conditionList(query, links)}
        ${'answer' in data ? results(data, links) : refusal(data.problem)}
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

function results(found: Found, links: PageLinks): Html {
  const { answer, query } = found
  const { rendered, leftOut } = renderWithin(new PageBudget(resultBytes), answer.results, (dataset) =>
    foundDataset(dataset, links),
  )
  const isContinued = listValues(query, 'before').length > 0
  return html`<h2 class="total">
      ${countTotal(answer)} ${isContinued && html`<span>continued</span>`}
      ${hasFacets(answer) && html`<a href="#facets">Narrow</a>`}
    </h2>
    ${!answer.total_is_exact && html`<p class="note">Add a word or choose a value to find fewer.</p>`}
    ${answer.total === 0 && emptyNote(found, links)}
    <ul class="found">
      ${rendered}
    </ul>
    ${moreNote(leftOut, 'do not fit on this page. Add limit=10 to its address to see them.')}
    ${extentNote(found, links)} ${indexNotes(answer.index)}
    ${(isContinued || answer.next !== null) && pageLinks(found, links, isContinued)}`
}

function pageLinks({ answer, query }: Found, links: PageLinks, isContinued: boolean): Html {
  return html`<nav class="pages" aria-label="Pages of results">
    ${isContinued && html`<a href="${links.search(without(query))}">First results</a>`}
    ${answer.next !== null && html`<a href="${links.search({ ...without(query), before: answer.next })}" rel="next">Next</a>`}
  </nav>`
}

function countTotal({ total, total_is_exact }: SearchAnswer): string {
  if (total === 0) return 'No dataset found'
  return total_is_exact ? formatCount(total, 'dataset') : `${total.toLocaleString('en')} or more datasets`
}

/** Says what was asked, and which part can be left out. */
function emptyNote({ answer, query }: Found, links: PageLinks): Html {
  const conditions = listConditions(query)
  if (answer.index.repositories === 0) return html`<p class="note">There is no repository to search.</p>`
  if (conditions.length === 0) return html`<p class="note">The index has no datasets.</p>`
  return html`<p class="note">No dataset has all of this. Leave out what you can:</p>
    <dl>
      ${conditions.map(({ name, values }) => {
        const texts = values.map((value, index) => html`${index > 0 && ' or '}<b>${clipText(value, maxLength)}</b>`)
        const label = html`search without<span class="spoken"> ${parameterNames[name]}</span>`
        return html`<dt>${parameterNames[name]}</dt>
          <dd>${texts} · <a href="${links.search(without(query, name))}">${label}</a></dd>`
      })}
    </dl>`
}

/** A place or a time finds only datasets whose attributes state one. */
function extentNote({ answer: { without_extent: count }, query }: Found, links: PageLinks): Html | false {
  const asked = (['bbox', 'time'] as const).filter((name) => listValues(query, name).length > 0)
  const words = asked.map((name) => parameterNames[name].toLowerCase()).join(' or ')
  return (
    count !== null &&
    count > 0 &&
    html`<p class="note">
      Without ${words} the search finds ${formatCount(count, 'dataset')} more, whose attributes state none.
      <a href="${links.search(without(query, ...asked))}">Search without ${words}</a>
    </p>`
  )
}

function indexNotes({ repositories, pending, oldest, omitted }: SearchAnswer['index']): Html {
  const since = oldest !== null && html`, the first since ${formatTime(new Date(oldest))}`
  const [waiting, all, left] = [pending, repositories, omitted].map((count) => count.toLocaleString('en'))
  return html`${
    pending > 0 &&
    html`<p class="note">
      The last commit of ${waiting} of ${all} repositories is not indexed yet${since}. Their datasets may be missing or
      outdated here.
    </p>`
  }
  ${omitted > 0 && html`<p class="note">${left} datasets and variables are not indexed, because their repository has too many.</p>`}`
}

function hasFacets({ facets }: SearchAnswer): boolean {
  return searchFacets.some((name) => facets[name]?.length)
}

/** The values that the results have. Each is a link that adds it to the search, or removes it. */
function facetAside({ answer, query }: Found, links: PageLinks): Html | false {
  if (!hasFacets(answer)) return false
  const budget = new PageBudget(facetBytes)
  const counted = answer.total > searchLimits.facetDatasets && searchLimits.facetDatasets.toLocaleString('en')
  const chosen = html`<span aria-hidden="true">✓ </span><span class="spoken">Remove </span>`
  return html`<aside class="facets" id="facets" aria-label="Narrow the search">
    ${counted && html`<p class="note">Counted over the first ${counted} datasets.</p>`}
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
  const rest = html`<details>
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
    ${folded.length > 0 && rest}
  </section>`
}
