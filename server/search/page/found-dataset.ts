// A dataset in the results of a search.
import type { FoundDataset, FoundVariable } from '@floe/contract'
import { clip, describeChange, describeDimensions } from '../../pages/browse/dataset-facts.ts'
import { describeBox, describePeriod } from '../../pages/dataset/drawings/coverage-section.ts'
import { formatCount } from '../../pages/parts/format-count.ts'
import { html, type Html } from '../../pages/html.ts'
import { remarkNotes } from '../../pages/parts/remark-notes.ts'
import { clipText } from '../../pages/page-budget.ts'
import type { PageLinks } from '../../pages/page-links.ts'

/** Longer texts are cut, in characters. */
const maxSummaryLength = 400

/** Variables after this many are counted, unless they match the search. */
const usualVariables = 4

/** A dataset that was found, with exact sizes, which may be beyond 2^53, in the order of the dataset. */
export type ExactDataset = Omit<FoundDataset, 'dimensions'> & {
  readonly dimensions: ReadonlyMap<string, number | bigint>
}

/** The dataset with its place in a repository and its facts. */
export function foundDataset(dataset: ExactDataset, links: PageLinks): Html {
  const { repo, branch, group, title, summary, refusal, extent, kind, changed } = dataset
  const facts = {
    Kind: kind,
    Area: extent.bbox && describeStated(extent.bbox),
    Time: describePeriod(toDate(extent.start), toDate(extent.end)),
    Dimensions: describeDimensions([...dataset.dimensions]),
    Variables: dataset.variable_count > 0 && variableList(dataset),
    'Metadata unchanged since': describeChange(changed),
  }
  return html`<li>
    <h3><a href="${links.dataset(repo, branch, group)}">${clip(title || group || repo)}</a></h3>
    <p class="where"><a href="${links.repository(repo)}">${repo}</a> ${branch} <code>/${clip(group)}</code></p>
    ${remarkNotes(dataset.remarks, links)} ${summary && html`<p>${clipText(summary, maxSummaryLength)}</p>`}
    ${
      refusal !== null &&
      html`<p class="refused">xarray cannot open this group: ${clipText(refusal, maxSummaryLength)}</p>`
    }
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

function describeStated([west = 0, south = 0, east = 0, north = 0]: readonly number[]): string {
  return describeBox([west, south, east, north])
}

function toDate(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant)
}

function variableList({ variables, variable_count }: ExactDataset): Html {
  const shown = variables.filter(({ matched }, index) => matched || index < usualVariables)
  const leftOut = variable_count - shown.length
  return html`<ul>
    ${shown.map(variableItem)} ${leftOut > 0 && html`<li>and ${formatCount(leftOut, 'other variable')}</li>`}
  </ul>`
}

function variableItem({ name, standard_name, long_name, units, matched }: FoundVariable): Html {
  return html`<li>
    ${matched ? html`<mark>${clip(name)}</mark><span class="spoken">(matched)</span>` : html`<b>${clip(name)}</b>`}
    ${units && html`<i>${clip(units)}</i>`} ${standard_name && html`<code>${clip(standard_name)}</code>`}
    ${long_name && html`<span>${clip(long_name)}</span>`}
  </li>`
}
