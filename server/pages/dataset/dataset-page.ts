// The page of one group: the sections of xarray's HTML representation in the same order, with facts about storage added.
import { viewNames } from '@floe/contract'
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { formatBytes, sumBytes } from '../../xarray/size.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { commitCard } from '../commit-card.ts'
import { type ChildGroup, childGroupSection, describeHoldings } from '../child-groups.ts'
import { coverageSection } from './drawings/coverage-section.ts'
import { attributeSection, storedArraySection, variableSections } from './dataset-sections.ts'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { clipText } from '../page-budget.ts'
import { describePage, writeStructuredData } from './search-engines.ts'
import { snippets } from './snippets.ts'
import { listBreadcrumbs, type PageSubject } from '../page-subject.ts'
import { filterAbove, filterBox } from '../section.ts'

/** A group is a dataset, a group that xarray cannot open, or a group without arrays. */
export type GroupContent =
  /** xarray can open the group. `arrays` has the stored arrays by name, for facts that decoding hides. */
  | { readonly kind: 'dataset'; readonly dataset: DecodedDataset; readonly arrays: ReadonlyMap<string, ArrayMetadata> }
  /** xarray cannot open the group. An array whose document cannot be read is null. */
  | {
      readonly kind: 'unreadable'
      readonly reason: string
      readonly arrays: ReadonlyMap<string, ArrayMetadata | null>
      readonly attributes: JsonObject
    }
  | { readonly kind: 'group'; readonly attributes: JsonObject }

export type DatasetPageData = {
  readonly at: PageSubject
  /** Path without a leading slash; the root group is `''`. */
  readonly group: string
  readonly content: GroupContent
  /** Sorted by UTF-8 bytes. */
  readonly childGroups: readonly ChildGroup[]
}

const maxTitleLength = 200

export function datasetPage(data: DatasetPageData, links: PageLinks): string {
  const { at, group, content } = data
  const isLong = content.kind !== 'group' && content.arrays.size > filterAbove
  const coverage = coverageSection(content.kind === 'dataset' ? content.dataset.attributes : content.attributes)
  const nameStart = group.lastIndexOf('/') + 1
  const name = html`<span>${group.slice(0, nameStart)}</span>${group.slice(nameStart)}`
  return deploymentLayout(links, {
    deployment: at.deployment,
    title: [...readTitle(content), group || at.repository, `${at.repository} at ${at.ref.name}`, at.deployment.org],
    hasFilter: isLong,
    hasColumns: content.kind !== 'group' && content.arrays.size > 1,
    hasCopies: true,
    ...(content.kind === 'dataset' && describe(content.dataset, data, links)),
    breadcrumbs: listBreadcrumbs(at, links, group),
    main: html`<div class="with-aside">
      ${masthead(kindText(content), group === '' ? at.repository : name, viewLinks(data, links))}
      <aside aria-label="${coverage ? 'Commit and coverage' : 'Commit'}">
        ${commitCard(at, links, (ref) => links.dataset(at.repository, ref, group))} ${coverage}
      </aside>
      <div class="sections">
        ${content.kind === 'unreadable' && refusal(content.reason)}
        ${isLong && filterBox('Filter variables', 'variables')} ${contentSections(data, links)}
        ${snippets(at, { group, reader: content.kind === 'unreadable' ? 'zarr' : 'xarray' }, links)}
      </div>
    </div>`,
  })
}

/** What the dataset calls itself; nothing when it does not. */
function readTitle(content: GroupContent): string[] {
  const { attributes } = content.kind === 'dataset' ? content.dataset : content
  const title = attributes.get('title')
  return typeof title === 'string' && title !== '' ? [clipText(title, maxTitleLength)] : []
}

/** What search engines read. They cannot read private deployments. */
function describe(dataset: DecodedDataset, { at, group }: DatasetPageData, links: PageLinks) {
  if (!at.deployment.isPublic) return {}
  return { description: describePage(dataset, at), structuredData: writeStructuredData(dataset, at, group, links) }
}

function kindText(content: GroupContent): Html {
  if (content.kind === 'group') return html`Zarr group without arrays`
  if (content.kind === 'unreadable') return html`Zarr group`
  return html`xarray.Dataset <span>${formatBytes(sumBytes(content.dataset))} uncompressed</span>`
}

function viewLinks({ at, group, content, childGroups }: DatasetPageData, links: PageLinks): Html {
  const views = content.kind === 'unreadable' ? [] : viewNames
  return html`<nav class="views" aria-label="Views of this group">
    ${childGroups.length > 0 && html`<a href="#groups">${describeHoldings({ arrays: 0, groups: childGroups.length })}</a>`}
    ${views.map((view) => html`<a href="${links.view(at.repository, at.ref.name, group, view)}">${view}</a>`)}
  </nav>`
}

function refusal(reason: string): Html {
  return html`<div class="refusal" role="note">
    <h2>xarray cannot open this group</h2>
    <p>${reason}</p>
    <p>The stored metadata is shown below, not decoded.</p>
  </div>`
}

function contentSections({ at, content, childGroups }: DatasetPageData, links: PageLinks): Html {
  const groups = childGroupSection(at, childGroups, links)
  if (content.kind === 'group') return html`${groups} ${attributeSection(content.attributes, true)}`
  if (content.kind === 'unreadable') {
    return html`${storedArraySection(content.arrays)} ${attributeSection(content.attributes, false)} ${groups}`
  }
  return html`${variableSections(content.dataset, content.arrays)} ${attributeSection(content.dataset.attributes, true)}
  ${groups}`
}
