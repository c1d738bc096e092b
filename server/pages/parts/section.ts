// Parts of several pages: foldable sections, and boxes that filter a list.
import { html, type Html } from '../html.ts'

type Section = {
  readonly id: string
  readonly title: string
  /** The number in the heading. */
  readonly count: number
  /** Whether it starts unfolded. */
  readonly isOpen: boolean
  readonly content: Html
}

/**
 * A foldable part of a page, which works without script. An empty one has a heading with `(0)` and nothing to unfold.
 */
export function section({ id, title, count, isOpen, content }: Section): Html {
  const heading = html`<h2>${title} <span>(${count.toLocaleString('en')})</span></h2>`
  if (count === 0) return html`<section class="section" id="${id}">${heading}</section>`
  return html`<details class="section" id="${id}" ${isOpen && 'open'}>
    <summary>${heading}</summary>
    ${content}
  </details>`
}

/** Lists with more items than this have a box that filters them. */
export const filterAbove = 20

/** A box that filters the lists with the given class. It needs `assets/filter.js`, which makes it visible. */
export function filterBox(label: string, listClass: string): Html {
  return html`<div class="filter" role="search" data-filter="${listClass}" hidden>
    <label for="filter-${listClass}">${label}</label>
    <input id="filter-${listClass}" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" />
    <output for="filter-${listClass}"></output>
  </div>`
}
