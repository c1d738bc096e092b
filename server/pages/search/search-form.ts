// The form of the page of a search, and what was asked for as chips that can be removed.
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { listConditions, listValues, parameterNames, type SearchQuery, toggle } from './search-query.ts'

/** Longer values are cut, in characters. */
const maxLength = 100

const typed = new Set(['q', 'bbox', 'time', 'repo'])

/** Keeps what was chosen beside the form, such as units. */
export function searchForm(query: SearchQuery, links: PageLinks): Html {
  const kept = [...listConditions(query), { name: 'limit', values: listValues(query, 'limit') }]
    .filter(({ name }) => !typed.has(name))
    .flatMap(({ name, values }) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}" />`))
  const repositories = listValues(query, 'repo')
  const isRestricted = Boolean(query.bbox || query.time) || repositories.length > 0
  return html`<form class="search-form" role="search" action="${links.search()}" aria-label="Search datasets">
    <div>
      <label for="q">Words</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${query.q}"
        aria-keyshortcuts="/"
        aria-describedby="q-hint"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
      />
      <button>Search</button>
      <small id="q-hint">All words must occur. The last one may be a beginning, and quotes make a phrase.</small>
    </div>
    <details ${isRestricted && 'open'}>
      <summary>Place, time and repository</summary>
      ${field({ name: 'bbox', label: 'Place', hint: 'west,south,east,north in degrees', value: query.bbox })}
      ${field({ name: 'time', label: 'Time', hint: 'start/end as dates; .. for an open end', value: query.time })}
      ${(repositories.length > 0 ? repositories : [undefined]).map((value, index) =>
        field({ name: 'repo', label: 'Repository', hint: 'name; * for any characters', value, index }),
      )}
    </details>
    ${kept}
  </form>`
}

type Field = {
  readonly name: 'bbox' | 'time' | 'repo'
  readonly label: string
  readonly hint: string
  readonly value: string | undefined
  /** Position among fields of the same name. */
  readonly index?: number
}

function field({ name, label, hint, value, index = 0 }: Field): Html {
  const id = index === 0 ? name : `${name}-${index}`
  return html`<div>
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      value="${value}"
      aria-describedby="${id}-hint"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />
    <small id="${id}-hint">${hint}</small>
  </div>`
}

/** Everything that was asked for besides the words. */
export function conditionChips(query: SearchQuery, links: PageLinks): Html | false {
  const chips = listConditions(query)
    .filter(({ name }) => name !== 'q')
    .flatMap(({ name, values }) =>
      values.map(
        (value) =>
          html`<li>
            <a href="${links.search(toggle(query, name, value))}"
              ><span class="spoken">Remove </span>${parameterNames[name]}: <b>${clipText(value, maxLength)}</b
              ><span aria-hidden="true"> ×</span></a
            >
          </li>`,
      ),
    )
  return (
    chips.length > 0 &&
    html`<ul class="chips" aria-label="Conditions">
      ${chips}
    </ul>`
  )
}
