// Attributes as Python prints them, like xarray's HTML representation.
import type { JsonObject, JsonValue } from '@floe/storage/json'
import { html, type Html } from '../html.ts'
import { clipText, clipValue, PageBudget, renderWithin } from '../page-budget.ts'

/** Longer values are cut, in characters; the `dict` view has them in full. */
const maxValueLength = 4_000
const maxNameLength = 1_000

/** As many names and values as fit into the budget, in stored order, and a note about the others. */
export function limitedAttributeList(attributes: JsonObject, budget: PageBudget, hasViews: boolean): Html {
  const { rendered, leftOut } = renderWithin(budget, attributes, attribute)
  return html`<dl class="attributes">${rendered}</dl>
    ${
      leftOut > 0 &&
      html`<p class="note">
        ${leftOut.toLocaleString('en')} more attributes are ${hasViews ? 'in the dict view' : 'not shown'}.
      </p>`
    }`
}

function attribute([name, value]: readonly [string, JsonValue]): Html {
  return html`<dt>${clipText(name, maxNameLength)}</dt>
    <dd>${clipValue(value, maxValueLength)}</dd>`
}

/** All names and values; undefined when they take more than `maxBytes`. */
export function wholeAttributeList(attributes: JsonObject, maxBytes: number): Html | undefined {
  const { rendered, leftOut } = renderWithin(new PageBudget(maxBytes), attributes, attribute)
  return leftOut > 0 ? undefined : html`<dl class="attributes">${rendered}</dl>`
}
