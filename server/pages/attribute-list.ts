// Attributes as Python prints them. Addresses in texts become links.
import type { JsonObject, JsonValue } from '@floe/storage/json'
import { html, type HtmlValue } from './html.ts'
import { clipText, clipValue, PageBudget, renderWithin } from './page-budget.ts'

/** Longer names and values are cut, in characters; the `dict` view has them in full. */
const maxNameLength = 1_000
const maxValueLength = 4_000

/** Renders the attributes that fit into `maxBytes`, in stored order, and counts the others. */
export function attributeList(attributes: JsonObject, maxBytes: number) {
  const { rendered, leftOut } = renderWithin(
    new PageBudget(maxBytes),
    attributes,
    ([name, value]) =>
      html`<dt>${clipText(name, maxNameLength)}</dt>
        <dd>${showValue(value)}</dd>`,
  )
  return { list: html`<dl class="attributes">${rendered}</dl>`, leftOut }
}

/** Links lead away from the page of a stranger's data, so they carry neither a referrer nor a recommendation. */
function showValue(value: JsonValue): HtmlValue {
  const text = clipValue(value, maxValueLength)
  if (typeof value !== 'string') return text
  // The odd parts are addresses. Punctuation after an address belongs to the sentence.
  const parts = text.split(/\b(https?:\/\/[^\s<>"'`…]*[^\s<>"'`….,;:!?)\]}])/i)
  return parts.map((part, index) => {
    const isCut = parts[index + 1]?.startsWith('…') ?? false
    return index % 2 === 1 && !isCut && URL.canParse(part)
      ? html`<a href="${part}" rel="noopener nofollow">${part}</a>`
      : part
  })
}
