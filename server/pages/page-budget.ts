// Limits the size of pages, so that a phone can open the page of any repository.
import type { JsonValue } from '@floe/storage/json'
import { clipPythonStr } from '../xarray/python/text.ts'
import { html, type Html, type HtmlValue } from './html.ts'

/** The number of bytes that a part of a page may still use. */
export class PageBudget {
  #bytesLeft: number

  constructor(bytes: number) {
    this.#bytesLeft = bytes
  }

  get bytesLeft(): number {
    return this.#bytesLeft
  }

  /** Spends the bytes of some markup. Returns false, and spends nothing, when too few are left. */
  trySpend(markup: Html): boolean {
    const bytes = Buffer.byteLength(markup.toString())
    if (bytes > this.#bytesLeft) return false
    this.#bytesLeft -= bytes
    return true
  }
}

/** Renders items until the budget is spent; `leftOut` is the number of items that did not fit. */
export function renderWithin<Item>(
  budget: PageBudget,
  items: Iterable<Item> & ({ readonly length: number } | { readonly size: number }),
  render: (item: Item) => Html,
): { readonly rendered: readonly Html[]; readonly leftOut: number } {
  const rendered: Html[] = []
  for (const item of items) {
    const markup = render(item)
    if (!budget.trySpend(markup)) break
    rendered.push(markup)
  }
  const count = 'size' in items ? items.size : items.length
  return { rendered, leftOut: count - rendered.length }
}

/** A note about items that did not fit, such as `12 more groups are not shown.` */
export function moreNote(leftOut: number, words: HtmlValue): Html | false {
  return leftOut > 0 && html`<p class="note">${leftOut.toLocaleString('en')} more ${words}</p>`
}

/** Whether the browser should lay out only the visible part of a list (class `long`). */
export function isLongList(count: number): boolean {
  return count > 200
}

/** Prints a value as Python does, cut after `maxLength` characters. For a text it says how many are missing. */
export function clipValue(value: JsonValue, maxLength: number): string {
  if (typeof value === 'string') return clipText(value, maxLength)
  const { text, isCut } = clipPythonStr(value, maxLength)
  return isCut ? `${text}… (cut)` : text
}

/** Cuts a text after `maxLength` characters and says how many are missing. */
export function clipText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = text.slice(0, maxLength).toWellFormed()
  return `${head}… (${(text.length - maxLength).toLocaleString('en')} more characters)`
}
