// Parts that several pages have: foldable sections, and a box that filters a list.
import { html, type Html } from './html.ts'

/** A foldable part of a page, which works without script. `isOpen` says whether it starts unfolded. */
type Section = {
  readonly id: string
  readonly title: string
  readonly count: number
  readonly isOpen: boolean
  readonly content: Html
}

/** Renders a section. An empty one has a heading with `(0)` and nothing to unfold. */
export function section({ id, title, count, isOpen, content }: Section): Html {
  const heading = html`<h2>${title} <span>(${count.toLocaleString('en')})</span></h2>`
  if (count === 0) return html`<section class="section" id="${id}">${heading}</section>`
  return html`<details class="section" id="${id}" ${isOpen && 'open'}>
    <summary>${heading}</summary>
    ${content}
  </details>`
}

/** Pages offer to filter lists with more items than this. */
export const filterAbove = 20

/** Narrows the items of the lists with the given class. `assets/filter.js` unhides it, because it does nothing without script. */
export function filterBox(label: string, listClass: string): Html {
  return html`<div class="filter" role="search" data-filter="${listClass}" hidden>
    <label for="filter-${listClass}">${label}</label>
    <input id="filter-${listClass}" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" />
    <output for="filter-${listClass}"></output>
  </div>`
}
