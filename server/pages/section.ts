// A foldable part of a page, which works without script.
import { html, type Html } from './html.ts'

/** What a section shows. `isOpen` says whether it starts unfolded. */
export type Section = {
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
  const unfolded = html`<summary>${heading}</summary>
    ${content}`
  return isOpen
    ? html`<details class="section" id="${id}" open>${unfolded}</details>`
    : html`<details class="section" id="${id}">${unfolded}</details>`
}
