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
import { conditionChips, searchForm } from './search-form.ts'
import { type Condition, listConditions, listValues, parameterNames, type SearchQuery } from './search-query.ts'
import { toggle, without } from './search-query.ts'

export type SearchPageData = { readonly deployment: ShownDeployment; readonly query: SearchQuery } & (
  | { readonly answer: SearchAnswer }
  /** Why the query makes no sense, such as a box with three numbers. */
  | { readonly problem: string }
)

const resultBytes = 1_000_000
const facetBytes = 400_000

/** Values of a facet that are shown at once; the others are folded. */
const unfoldedValues = 6

/** Longer values are cut, in characters. */
const maxLength = 100

export function searchPage(data: SearchPageData, links: PageLinks): string {
  const { deployment, query } = data
  const facets = 'answer' in data && facetAside(data.answer, query, links)
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
        ${searchForm(query, links)} ${conditionChips(query, links)}
        ${'answer' in data ? results(data.answer, query, links) : refusal(data.problem)}
      </div>
      ${facets}
    </div>`,
  })
}

function refusal(problem: string): Html {
  return html`<div class="refusal" role="alert">
    <h2>This search makes no sense</h2>
    <p>${problem}</p>
  </div>`
}

function results(answer: SearchAnswer, query: SearchQuery, links: PageLinks): Html {
  const { rendered, leftOut } = renderWithin(new PageBudget(resultBytes), answer.results, (found) =>
    foundDataset(found, links),
  )
  const fewer = html`<a href="${links.search({ ...query, facets: '', limit: String(rendered.length) })}">fewer</a>`
  const isContinued = listValues(query, 'before').length > 0
  return html`<h2 class="total">
      ${countTotal(answer)} ${isContinued && html`<span>continued</span>`}
      ${hasFacets(answer) && html`<a href="#facets">Narrow</a>`}
    </h2>
    ${!answer.total_is_exact && html`<p class="note">Add a word, or choose a value, to find fewer.</p>`}
    ${answer.total === 0 && emptyNote(answer, query, links)} ${indexNotes(answer.index)}
    <ul class="found">
      ${rendered}
    </ul>
    ${moreNote(leftOut, html`do not fit on this page. Show ${fewer} at a time.`)} ${extentNote(answer, query, links)}
    ${pageLinks(answer, query, links, isContinued)}`
}

function countTotal({ total, total_is_exact }: SearchAnswer): string {
  if (total === 0) return 'No dataset found'
  return total_is_exact ? formatCount(total, 'dataset') : `${total.toLocaleString('en')} or more datasets`
}

/** Says what was asked, and which part can be left out. */
function emptyNote({ index }: SearchAnswer, query: SearchQuery, links: PageLinks): Html {
  const conditions = listConditions(query)
  if (index.repositories === 0) return html`<p>There is no repository to search in.</p>`
  if (conditions.length === 0) return html`<p>The index has no datasets.</p>`
  return html`<p>No dataset meets ${conditions.length === 1 ? 'this condition' : 'all of these conditions'}:</p>
    <ul class="conditions">
      ${conditions.map(
        (condition) =>
          html`<li>
            ${describeCondition(condition)}
            <a href="${links.search(without(query, condition.name))}"
              >search without ${condition.name === 'q' ? 'these' : 'this'}<span class="spoken">
                ${parameterNames[condition.name]}</span
              ></a
            >
          </li>`,
      )}
    </ul>`
}

function describeCondition({ name, values }: Condition): Html {
  return html`${parameterNames[name]}
  ${values.map((value, index) => html`${index > 0 && ' or '}<b>${clipText(value, maxLength)}</b>`)}`
}

/** Datasets without a stated extent are never found by place or time. */
function extentNote({ without_extent }: SearchAnswer, query: SearchQuery, links: PageLinks): Html | false {
  if (without_extent === null || without_extent === 0) return false
  const parts = (['bbox', 'time'] as const).filter((name) => listValues(query, name).length > 0)
  const words = parts.map((name) => parameterNames[name]).join(' or ')
  const [datasets, verb] = [formatCount(without_extent, 'dataset'), without_extent === 1 ? 'states' : 'state']
  return html`<p class="note">
    ${datasets} would match, but ${verb} no ${words} in ${without_extent === 1 ? 'its' : 'their'} attributes.
    <a href="${links.search(without(query, ...parts))}">Search without ${words}</a>
  </p>`
}

function indexNotes({ repositories, pending, oldest, omitted }: SearchAnswer['index']): Html {
  const since = oldest !== null && html`, the first since ${formatTime(new Date(oldest))}`
  return html`${
    pending > 0 &&
    html`<p class="note">
      ${pending.toLocaleString('en')} of ${repositories.toLocaleString('en')} repositories wait for the index of their
      last commit${since}. Their datasets may be missing here, or as they were before.
    </p>`
  }
  ${
    omitted > 0 &&
    html`<p class="note">
      ${omitted.toLocaleString('en')} datasets and variables cannot be found, because their repository has too many.
    </p>`
  }`
}

function pageLinks({ next }: SearchAnswer, query: SearchQuery, links: PageLinks, isContinued: boolean): Html | false {
  if (next === null && !isContinued) return false
  return html`<nav class="pages" aria-label="Pages of results">
    ${isContinued && html`<a href="${links.search(without(query))}">First results</a>`}
    ${next !== null && html`<a href="${links.search({ ...query, facets: '', before: next })}" rel="next">Next</a>`}
  </nav>`
}

function hasFacets({ facets }: SearchAnswer): boolean {
  return Object.values(facets).some((values) => values.length > 0)
}

/** The values that the results have. Each is a link that adds it to the search, or removes it. */
function facetAside(answer: SearchAnswer, query: SearchQuery, links: PageLinks): Html | false {
  if (!hasFacets(answer)) return false
  const budget = new PageBudget(facetBytes)
  const isPartial = !answer.total_is_exact || answer.total > searchLimits.facetDatasets
  return html`<aside class="facets" id="facets" aria-label="Narrow the search">
    ${isPartial && html`<p class="note">Counted over the first ${searchLimits.facetDatasets.toLocaleString('en')} datasets.</p>`}
    ${searchFacets.map((name) => {
      const chosen = new Set(listValues(query, name))
      const { rendered } = renderWithin(budget, answer.facets[name] ?? [], ({ value, count }) => {
        const mark = html`<span aria-hidden="true">✓ </span><span class="spoken">Remove </span>`
        return html`<li>
          <a href="${links.search(toggle(query, name, value))}"
            >${chosen.has(value) && mark}${clipText(value, maxLength)}</a
          >
          <small>${count.toLocaleString('en')}</small>
        </li>`
      })
      return rendered.length > 0 && facet(parameterNames[name], rendered)
    })}
  </aside>`
}

function facet(title: string, values: readonly Html[]): Html {
  const folded = values.slice(unfoldedValues)
  return html`<section>
    <h2>${title}</h2>
    <ul>
      ${values.slice(0, unfoldedValues)}
    </ul>
    ${
      folded.length > 0 &&
      html`<details>
        <summary>${folded.length} more<span class="spoken"> of ${title}</span></summary>
        <ul>
          ${folded}
        </ul>
      </details>`
    }
  </section>`
}
