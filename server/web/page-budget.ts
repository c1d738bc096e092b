// Keeps a page to a size that a phone can open, whatever a repository holds.
import type { Html } from './html.ts'

/** Bytes that a part of a page may take; spent as the part is rendered. */
export class PageBudget {
  #bytesLeft: number

  constructor(bytes: number) {
    this.#bytesLeft = bytes
  }

  /** Takes the room for this markup, or says that there is none. */
  takes(markup: Html): boolean {
    const bytes = Buffer.byteLength(markup.toString())
    if (bytes > this.#bytesLeft) return false
    this.#bytesLeft -= bytes
    return true
  }
}

/** The leading items that fit, and how many were left out. */
export function renderWithin<Item>(
  budget: PageBudget,
  items: readonly Item[],
  render: (item: Item) => Html,
): { readonly rendered: readonly Html[]; readonly leftOut: number } {
  const rendered: Html[] = []
  for (const item of items) {
    const markup = render(item)
    if (!budget.takes(markup)) break
    rendered.push(markup)
  }
  return { rendered, leftOut: items.length - rendered.length }
}

/** Whether a browser should lay a list out piecemeal (class `long`). */
export function isLongList(count: number): boolean {
  return count > 200
}

/** A text cut to a readable length, saying how much is missing. */
export function clipText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = text.slice(0, maxLength).toWellFormed()
  return `${head}… (${(text.length - maxLength).toLocaleString('en')} more characters)`
}
