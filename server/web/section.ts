// A foldable part of a page, usable without script.
import { html, type Html } from './html.ts'

/** Heading, number of items, whether it starts unfolded, and its content. */
export type Section = {
  readonly id: string
  readonly title: string
  readonly count: number
  readonly isOpen: boolean
  readonly content: Html
}

/** An empty section keeps its heading and its `(0)`, and has nothing to unfold. */
export function section({ id, title, count, isOpen, content }: Section): Html {
  const heading = html`<h2>${title} <span>(${count.toLocaleString('en')})</span></h2>`
  if (count === 0) return html`<section class="section" id="${id}">${heading}</section>`
  const unfolded = html`<summary>${heading}</summary>
    ${content}`
  return isOpen
    ? html`<details class="section" id="${id}" open>${unfolded}</details>`
    : html`<details class="section" id="${id}">${unfolded}</details>`
}
