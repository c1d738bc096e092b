// Attributes as Python prints them, like xarray's HTML representation.
import type { JsonObject } from '@floe/storage/json'
import { html } from '../html.ts'
import { clipText, clipValue, PageBudget, renderWithin } from '../page-budget.ts'

/** Longer values are cut, in characters; the `dict` view has them in full. */
const maxValueLength = 4_000
const maxNameLength = 1_000

/** Renders the names and values that fit into `maxBytes`, in stored order, and counts the others. */
export function attributeList(attributes: JsonObject, maxBytes: number) {
  const { rendered, leftOut } = renderWithin(
    new PageBudget(maxBytes),
    attributes,
    ([name, value]) =>
      html`<dt>${clipText(name, maxNameLength)}</dt>
        <dd>${clipValue(value, maxValueLength)}</dd>`,
  )
  return { list: html`<dl class="attributes">${rendered}</dl>`, leftOut }
}
