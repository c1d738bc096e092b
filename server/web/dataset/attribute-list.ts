// Attributes as Python prints them, like xarray's HTML representation.
import type { JsonObject, JsonValue } from '@floe/storage/json'
import { html, type Html } from '../html.ts'
import { clipValue, type PageBudget, renderWithin } from '../page-budget.ts'

/** Longer values are cut, in characters; the `dict` view has them in full. */
const maxValueLength = 4_000

/** Names and values in stored order. With a budget, only as many as fit. */
export function attributeList(attributes: JsonObject, budget?: PageBudget): Html {
  const entries = [...attributes]
  if (!budget) return html`<dl class="attributes">${entries.map(attribute)}</dl>`
  const { rendered, leftOut } = renderWithin(budget, entries, attribute)
  return html`<dl class="attributes">${rendered}</dl>
    ${leftOut > 0 && html`<p class="note">${leftOut} more attributes are in the dict view.</p>`}`
}

function attribute([name, value]: readonly [string, JsonValue]): Html {
  return html`<dt>${name}</dt>
    <dd>${clipValue(value, maxValueLength)}</dd>`
}
