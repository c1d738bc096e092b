import { html, type HtmlValue } from './html.ts'

/**
 * Turns the addresses in a text into links. The author of the data chose them, so their targets get no access to this
 * page (`noopener`), and search engines do not follow them (`nofollow`).
 */
export function linkAddresses(text: string): HtmlValue {
  // Parts with an odd index are addresses. Punctuation at the end of an address belongs to the sentence.
  const parts = text.split(/\b(https?:\/\/[^\s<>"'`…]*[^\s<>"'`….,;:!?)\]}])/i)
  return parts.map((part, index) => {
    const isCut = parts[index + 1]?.startsWith('…') ?? false
    return index % 2 === 1 && !isCut && URL.canParse(part)
      ? html`<a href="${part}" rel="noopener nofollow">${part}</a>`
      : part
  })
}
