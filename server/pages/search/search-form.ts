// The form of a search, and what was asked for as links that remove it.
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { listConditions, listValues, parameterNames, type SearchQuery, toggle } from './search-query.ts'

/** Longer values are cut, in characters. */
const maxLength = 100

const hints = {
  bbox: 'west,south,east,north in degrees',
  time: 'start/end as dates; .. for an open end',
  repo: 'Name; * for any characters',
} as const

/** Hidden inputs keep what was chosen beside the form, such as units. */
export function searchForm(query: SearchQuery, links: PageLinks): Html {
  const kept = [...listConditions(query), { name: 'limit', values: listValues(query, 'limit') }]
    .filter(({ name }) => name !== 'q' && !(name in hints))
    .flatMap(({ name, values }) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}" />`))
  const fields = (['bbox', 'time', 'repo'] as const).map((name) => ({ name, values: listValues(query, name) }))
  return html`<form class="filter" role="search" action="${links.search()}" aria-label="Search datasets">
    ${field('q', query.q)} <button>Search</button>
    <small>All words must occur. The last one may be a beginning; quotes make a phrase.</small>
    <details ${fields.some(({ values }) => values.length > 0) && 'open'}>
      <summary>Place, time and repository</summary>
      ${fields.map(({ name, values }) => (values.length > 0 ? values : ['']).map((value) => field(name, value)))}
    </details>
    ${kept}
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
