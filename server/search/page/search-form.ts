// The search form, and the conditions of a search as links that remove them.
import { html, type Html } from '../../pages/html.ts'
import { clipText } from '../../pages/page-budget.ts'
import type { PageLinks } from '../../pages/page-links.ts'
import { listConditions, listValues, parameterNames, type SearchQuery, toggle } from './search-query.ts'

/** Longer values are cut, in characters. */
const maxLength = 100

/** Id of the form, for fields outside of it. */
export const searchFormId = 'search'

/** How to fill in the fields. */
const hints = {
  time: 'start/end as dates; .. for an open end',
  changed_since: 'date of the oldest commit',
  changed_before: 'date after the newest commit',
  repo: 'name; * stands for any characters',
} as const

/**
 * The form. Hidden inputs keep the conditions that have no field, such as units. The fields of the area stand beside
 * the map.
 */
export function searchForm(query: SearchQuery, links: PageLinks): Html {
  const hiddenInputs = [
    ...listConditions(query),
    ...(['sort', 'limit'] as const).map((name) => ({ name, values: [query[name] ?? []].flat().map(String) })),
  ]
    .filter(({ name }) => name !== 'q' && name !== 'bbox' && !(name in hints))
    .flatMap(({ name, values }) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}" />`))
  const fields = (['time', 'changed_since', 'changed_before', 'repo'] as const).map((name) => ({
    name,
    values: listValues(query, name),
  }))
  return html`<form
    class="filter"
    id="${searchFormId}"
    role="search"
    action="${links.search()}"
    aria-label="Search datasets"
  >
    ${field('q', query.q)} <button>Search</button>
    <small>Finds datasets with all of these words. The last word may be incomplete; put phrases in quotes.</small>
    <details ${fields.some(({ values }) => values.length > 0) && 'open'}>
      <summary>Time, changes and repository</summary>
      ${fields.map(({ name, values }) => (values.length > 0 ? values : ['']).map((value) => field(name, value)))}
    </details>
    ${hiddenInputs}
  </form>`
}

function field(name: 'q' | keyof typeof hints, value: string | undefined): Html {
  return html`<label class="filter">
    <span>${parameterNames[name]}</span>
    <input
      ${name === 'q' && html`id="q" aria-keyshortcuts="/"`}
      name="${name}"
      type="search"
      value="${value}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />
    ${name !== 'q' && html`<small>${hints[name]}</small>`}
  </label>`
}

/** The conditions, each as a link that searches without it; false when there are none. */
export function conditionList(query: SearchQuery, links: PageLinks): Html | false {
  const chips = listConditions(query).flatMap(({ name, values }) =>
    values.map((value) => {
      const text = html`${parameterNames[name]}: <b>${clipText(value, maxLength)}</b>`
      const address = links.search(toggle(query, name, value))
      return html`<li>
        <a href="${address}"><span class="spoken">Remove </span>${text} <span aria-hidden="true">×</span></a>
      </li>`
    }),
  )
  return (
    chips.length > 0 &&
    html`<ul class="chips" aria-label="Conditions">
      ${chips}
    </ul>`
  )
}
