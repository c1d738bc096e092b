// One dataset among the results of a search.
import type { FoundDataset, FoundVariable, StatedExtent } from '@floe/contract'
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
  const { repo, branch, group, title, summary, refusal } = found
  return html`<li>
    <h3><a href="${links.dataset(repo, branch, group)}">${clip(title || group || repo)}</a></h3>
    <p class="where">
      <a href="${links.repository(repo)}">${repo}</a> <span>${branch}</span> <code>/${clip(group)}</code>
    </p>
    ${summary && html`<p>${clipText(summary, maxSummaryLength)}</p>`}
    ${refusal !== null && html`<p class="refused">xarray cannot open this group: ${clipText(refusal, maxSummaryLength)}</p>`}
    <dl>${extentFacts(found.extent)} ${dimensionFact(found.dimensions)} ${variableFact(found)}</dl>
  </li>`
}

function extentFacts({ bbox, start, end }: StatedExtent): Html {
  const [west = 0, south = 0, east = 0, north = 0] = bbox ?? []
  const from = start === null ? 'Until' : formatTime(new Date(start))
  const to = end === null ? 'and later' : html`${start !== null && 'to '}${formatTime(new Date(end))}`
  return html`${
    bbox !== null &&
    html`<dt>Place</dt>
      <dd>${describeArea({ west, south, east, north })}</dd>`
  }${
    (start !== null || end !== null) &&
    html`<dt>Time</dt>
      <dd>${from} ${to}</dd>`
  }`
}

function dimensionFact(dimensions: FoundDataset['dimensions']): Html | false {
  const all = Object.entries(dimensions)
  const shown = all.slice(0, maxDimensions).map(([name, size]) => `${clip(name)}: ${size.toLocaleString('en')}`)
  if (all.length > maxDimensions) shown.push(`and ${all.length - maxDimensions} more`)
  return (
    all.length > 0 &&
    html`<dt>Dimensions</dt>
      <dd>${shown.join(', ')}</dd>`
  )
}

function variableFact({ variables, variable_count: count }: FoundDataset): Html | false {
  const shown = variables.filter(({ matched }, index) => matched || index < usualVariables)
  const others = count - shown.length
  const nouns = `${shown.length > 0 ? 'other ' : ''}variable${others === 1 ? '' : 's'}`
  return (
    count > 0 &&
    html`<dt>Variables</dt>
      <dd>
        <ul>
          ${shown.map(variableItem)}
          ${others > 0 && html`<li>${shown.length > 0 && 'and '}${others.toLocaleString('en')} ${nouns}</li>`}
        </ul>
      </dd>`
  )
}

function variableItem({ name, standard_name, long_name, units, matched }: FoundVariable): Html {
  return html`<li>
    ${matched ? html`<mark>${clip(name)}</mark><span class="spoken"> (matched)</span>` : html`<b>${clip(name)}</b>`}
    ${units && html`<i>${clip(units)}</i>`} ${standard_name && html`<code>${clip(standard_name)}</code>`}
    ${long_name && html`<span>${clip(long_name)}</span>`}
  </li>`
}
