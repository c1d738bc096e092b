// Attributes as Python prints them, like xarray's HTML representation.
import type { JsonObject, JsonValue } from '@floe/storage/json'
import { writePythonStr } from '../../xarray/python/text.ts'
import { html, type Html } from '../html.ts'
import { clipText, type PageBudget, renderWithin } from '../page-budget.ts'

/** Longer values are cut, in characters; the `dict` view has them in full. */
const maxValueLength = 4_000

/** Names and values in stored order. */
export function attributeList(attributes: JsonObject): Html {
  return html`<dl class="attributes">${[...attributes].map(attribute)}</dl>`
}

/** As many names and values as fit into the budget, and a note about the others. */
export function limitedAttributeList(attributes: JsonObject, budget: PageBudget, hasViews: boolean): Html {
  const { rendered, leftOut } = renderWithin(budget, [...attributes], attribute)
  return html`<dl class="attributes">${rendered}</dl>
    ${
      leftOut > 0 &&
      html`<p class="note">
        ${leftOut.toLocaleString('en')} more attributes are ${hasViews ? 'in the dict view' : 'not shown'}.
      </p>`
    }`
}

function attribute([name, value]: readonly [string, JsonValue]): Html {
  return html`<dt>${name}</dt>
    <dd>${clipText(writePythonStr(value), maxValueLength)}</dd>`
}
