import { html, type Html } from '../html.ts'
import type { LinkQuery } from '../page-links.ts'

/** What is selected, in words: with a path, and without. */
type Words = { readonly some: string; readonly all: string }

/**
 * A form that selects what a list shows by a path, and keeps the other parameters.
 *
 * @param link returns the address of the list
 */
export function pathForm({ some, all }: Words, selection: LinkQuery, link: (query: LinkQuery) => string): Html {
  const { path, ...others } = selection
  const kept = Object.entries(others).filter(([, value]) => value !== undefined && value !== '')
  return html`<form class="filter" action="${link({})}">
    <label for="path">${some}</label>
    <input id="path" name="path" value="${path}" maxlength="255" placeholder="forecast/** or wind/speed" required />
    ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button>Show</button>
    ${path !== undefined && html`<a href="${link(others)}">${all}</a>`}
  </form>`
}
