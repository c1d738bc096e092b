// The first datasets of a branch, on the page of its repository.
import type { StoredBytes } from '@floe/contract'
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { describeChange, describeDimensions } from './dataset-facts.ts'

export type ListedDataset = {
  readonly path: string
  readonly title: string | null
  readonly summary: string | null
  /** Names, and sizes in digits, of the first dimensions. */
  readonly dimensions: readonly (readonly [name: string, size: string])[]
  readonly dimensionCount: number
}

/** Datasets in the order of their paths. */
export type FirstDatasets = {
  /** Number of all datasets. */
  readonly count: number
  readonly datasets: readonly ListedDataset[]
  /** Why there can be none; null if there can. */
  readonly reason: string | null
  /** Bytes of the chunks of all arrays; null if it is unknown. */
  readonly bytes: StoredBytes | null
}

/**
 * The last change of a dataset that the index has seen. It compares the metadata of heads, so the commit may not be the
 * one that changed them, and may not be the last that wrote chunks.
 */
type LastChange = { readonly at: string; readonly message: string }

export type ShownDatasets = FirstDatasets & {
  /** The branch that has them. */
  readonly branch: string
  /** By path, as far as the index of search knows them. */
  readonly changes: ReadonlyMap<string, LastChange>
}

const maxTitleLength = 200
const maxSummaryLength = 400

/** The repository of the datasets; they may inherit its summary. */
type ListingRepository = { readonly name: string; readonly summary: string | null }

/** The section of the datasets. */
export function datasetSection(repository: ListingRepository, shown: ShownDatasets, links: PageLinks): Html {
  const { branch, count, datasets, reason } = shown
  const all = links.ref(repository.name, branch)
  return html`<section class="section" id="datasets">
    <h2>Datasets <span>of ${branch} (${count.toLocaleString('en')})</span></h2>
    ${count === 0 && html`<p class="note">There are no datasets${reason === null ? ' yet' : `: ${reason}`}.</p>`}
    <ul class="found">
      ${datasets.map((dataset) => datasetItem(repository, dataset, shown, links))}
    </ul>
    <p class="note">
      <a href="${all}">
        ${count > datasets.length ? `All ${count.toLocaleString('en')} datasets of` : 'Groups of'} ${branch}
      </a>
    </p>
  </section>`
}

function datasetItem(
  repository: ListingRepository,
  { path, title, summary, dimensions, dimensionCount }: ListedDataset,
  { branch, changes }: ShownDatasets,
  links: PageLinks,
): Html {
  const change = changes.get(path)
  const sizes = dimensions.map(([name, size]) => [name, BigInt(size)] as const)
  return html`<li>
    <h3>
      <a href="${links.dataset(repository.name, branch, path)}"
        >${clipText(title ?? (path || repository.name), maxTitleLength)}</a
      >
    </h3>
    ${title !== null && html`<p class="where"><code>/${path}</code></p>`}
    ${summary !== null && summary !== repository.summary && html`<p>${clipText(summary, maxSummaryLength)}</p>`}
    <dl>
      ${
        dimensions.length > 0 &&
        html`<dt>Dimensions</dt>
          <dd>${describeDimensions(sizes, dimensionCount)}</dd>`
      }
      ${
        change !== undefined &&
        html`<dt>Metadata unchanged since</dt>
          <dd>${describeChange(change)}</dd>`
      }
    </dl>
  </li>`
}
