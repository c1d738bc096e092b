import { html, type Html } from './html.ts'

/** Pages offer to filter lists with more items than this. */
export const filterAbove = 20

/**
 * A box that narrows the items of the lists with the given class. `assets/filter.js` shows it, since it does
 * nothing without script.
 */
export function filterBox(label: string, listClass: string): Html {
  return html`<div class="filter" role="search" data-filter="${listClass}" hidden>
    <label for="filter-${listClass}">${label}</label>
    <input id="filter-${listClass}" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" />
    <output for="filter-${listClass}"></output>
  </div>`
}
