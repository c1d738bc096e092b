// Attributes, printed as Python prints them. Those with objects inside are trees. Addresses in texts become links.
import type { JsonObject, JsonValue } from '@floe/storage/json'
import { AttributeTree, isNested } from './attribute-tree.ts'
import { html, type Html, type HtmlValue } from '../html.ts'
import { linkAddresses } from '../link-addresses.ts'
import { clipText, clipValue, PageBudget, renderWithin } from '../page-budget.ts'

/** Longer names and values are cut, in characters; the `dict` view has them in full. */
const maxNameLength = 1_000
const maxValueLength = 4_000

/**
 * Renders the attributes that fit into `maxBytes`, in stored order, and counts the others.
 *
 * @param elsewhere where members are that do not fit into a tree, such as `are not shown.`
 */
export function attributeList(attributes: JsonObject, maxBytes: number, elsewhere: HtmlValue = 'are not shown.') {
  const budget = new PageBudget(maxBytes)
  const renderAttribute = ([name, value]: readonly [string, JsonValue]): Html => {
    const shownName = clipText(name, maxNameLength)
    const render = (shown: HtmlValue) =>
      html`<dt>${shownName}</dt>
        <dd>${shown}</dd>`
    if (!isNested(value)) return render(showValue(value))
    const bytesLeft = budget.bytesLeft - Buffer.byteLength(render('').toString())
    return render(new AttributeTree(bytesLeft, showValue, elsewhere).render(shownName, value) ?? showValue(value))
  }
  const { rendered, leftOut } = renderWithin(budget, attributes, renderAttribute)
  return { list: html`<dl class="attributes">${rendered}</dl>`, leftOut }
}

function showValue(value: JsonValue): HtmlValue {
  const text = clipValue(value, maxValueLength)
  return typeof value === 'string' ? linkAddresses(text) : text
}
