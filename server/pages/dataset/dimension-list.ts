// The dimensions of a dataset. Each unfolds to links to the variables along it.
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { formatCount } from '../parts/format-count.ts'
import { html, type Html } from '../html.ts'
import { clipText, PageBudget, renderWithin } from '../page-budget.ts'
import { makeVariableId } from '../page-links.ts'

const dimensionBytes = 15_000
/** Maximum size of the links of all dimensions in bytes. A dimension whose links do not fit has none. */
const linkBytes = 15_000
const maxLinks = 100
/** Longer names of dimensions are cut, in characters. */
const maxNameLength = 1_000

/** The section of dimensions. Those with an index are bold. An unnamed dimension is shown as Python's `None`. */
export function dimensionList({ dimensions, variables }: DecodedDataset): Html {
  const indexes = new Set<string | null>(variables.flatMap(({ name, isIndexed }) => (isIndexed ? name : [])))
  const variablesByDimension = new Map<string | null, string[]>([...dimensions.keys()].map((name) => [name, []]))
  for (const { name, dimensions } of variables) {
    for (const dimension of new Set(dimensions)) variablesByDimension.get(dimension)?.push(name)
  }
  const linkBudget = new PageBudget(linkBytes)
  const { rendered, leftOut } = renderWithin(new PageBudget(dimensionBytes + linkBytes), dimensions, ([name, size]) => {
    const shownName = clipText(name ?? 'None', maxNameLength)
    const text = html`${indexes.has(name) ? html`<b>${shownName}</b>` : html`<span>${shownName}</span>`}: ${size}`
    const links = variableLinks(variablesByDimension.get(name) ?? [])
    if (!linkBudget.trySpend(links)) return html`<li>${text}</li>`
    return html`<li>
      <details>
        <summary>${text}</summary>
        ${links}
      </details>
    </li>`
  })
  return html`<section class="section" id="dimensions">
    <h2>Dimensions</h2>
    <ul class="dimensions">
      ${rendered}${leftOut > 0 && html`<li>${leftOut.toLocaleString('en')} more</li>`}
    </ul>
  </section>`
}

function variableLinks(names: readonly string[]): Html {
  const leftOut = names.length - maxLinks
  return html`<p>
    ${formatCount(names.length, 'variable')}:
    ${names.slice(0, maxLinks).map((name) => html`<a href="#${makeVariableId(name)}">${name}</a> `)}
    ${leftOut > 0 && `and ${leftOut.toLocaleString('en')} more`}
  </p>`
}
