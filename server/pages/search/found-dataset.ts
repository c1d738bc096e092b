// One dataset among the results of a search.
import type { FoundDataset, FoundVariable, StatedExtent } from '@floe/contract'
import { formatCount } from '../child-groups.ts'
import { describeArea, formatTime } from '../dataset/drawings/coverage-section.ts'
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'

/** Longer texts are cut, in characters. */
const maxLength = 200
const maxSummaryLength = 400

/** Further ones are counted. Variables that matched are always shown. */
const maxDimensions = 12
const usualVariables = 4

const clip = (text: string) => clipText(text, maxLength)

export function foundDataset(found: FoundDataset, links: PageLinks): Html {
  const { repo, branch, group, title, summary, refusal, extent } = found
  const facts = {
    Place: extent.bbox && describeBox(extent.bbox),
    Time: describePeriod(extent),
    Dimensions: describeDimensions(found.dimensions),
    Variables: found.variable_count > 0 && variableList(found),
  }
  return html`<li>
    <h3><a href="${links.dataset(repo, branch, group)}">${clip(title || group || repo)}</a></h3>
    <p class="where"><a href="${links.repository(repo)}">${repo}</a> ${branch} <code>/${clip(group)}</code></p>
    ${summary && html`<p>${clipText(summary, maxSummaryLength)}</p>`}
    ${refusal !== null && html`<p class="refused">xarray cannot open this group: ${clipText(refusal, maxSummaryLength)}</p>`}
    <dl>
      ${Object.entries(facts).map(
        ([name, fact]) =>
          fact &&
          html`<dt>${name}</dt>
            <dd>${fact}</dd>`,
      )}
    </dl>
  </li>`
}

function describeBox([west = 0, south = 0, east = 0, north = 0]: readonly number[]): string {
  return describeArea({ west, south, east, north })
}

function describePeriod({ start, end }: StatedExtent): Html | false {
  if (start === null) return end !== null && html`until ${formatTime(new Date(end))}`
  if (end === null) return html`from ${formatTime(new Date(start))}`
  return html`${formatTime(new Date(start))} to ${formatTime(new Date(end))}`
}

function describeDimensions(dimensions: FoundDataset['dimensions']): string {
  const all = Object.entries(dimensions).map(([name, size]) => `${clip(name)}: ${size.toLocaleString('en')}`)
  const rest = all.length - maxDimensions
  return [...all.slice(0, maxDimensions), ...(rest > 0 ? [`and ${rest.toLocaleString('en')} more`] : [])].join(', ')
}

function variableList({ variables, variable_count }: FoundDataset): Html {
  const shown = variables.filter(({ matched }, index) => matched || index < usualVariables)
  const others = variable_count - shown.length
  return html`<ul>
    ${shown.map(variableItem)} ${others > 0 && html`<li>and ${formatCount(others, 'other variable')}</li>`}
  </ul>`
}

function variableItem({ name, standard_name, long_name, units, matched }: FoundVariable): Html {
  return html`<li>
    ${matched ? html`<mark>${clip(name)}</mark><span class="spoken">(matched)</span>` : html`<b>${clip(name)}</b>`}
    ${units && html`<i>${clip(units)}</i>`} ${standard_name && html`<code>${clip(standard_name)}</code>`}
    ${long_name && html`<span>${clip(long_name)}</span>`}
  </li>`
}
