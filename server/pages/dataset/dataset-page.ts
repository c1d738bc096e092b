// The page of one group: the sections of xarray's HTML representation in the same order, with facts about storage added.
import { viewNames } from '@floe/contract'
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { formatBytes, sumBytes } from '../../xarray/size.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { type ChildGroup, childGroupSection, describeHoldings } from '../child-groups.ts'
import { coverageSection } from './drawings/coverage-section.ts'
import { attributeSection, storedArraySection, variableSections } from './dataset-sections.ts'
import { filterAbove, filterBox } from '../filter-box.ts'
import { html, type Html } from '../html.ts'
import { layout } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { snippets } from './snippets.ts'
import { listBreadcrumbs, commitCard, listDocumentationLinks, type PageSubject } from '../page-subject.ts'

/** A group is a dataset, a dataset that xarray refuses, or a group without arrays. */
export type GroupContent =
  /** xarray can open it. `arrays` has the stored arrays by name, for the facts that decoding hides. */
  | { readonly kind: 'dataset'; readonly dataset: DecodedDataset; readonly arrays: ReadonlyMap<string, ArrayMetadata> }
  /** xarray refuses it. An array whose document cannot be read is null. */
  | {
      readonly kind: 'unreadable'
      readonly reason: string
      readonly arrays: ReadonlyMap<string, ArrayMetadata | null>
      readonly attributes: JsonObject
    }
  /** It holds no arrays. */
  | { readonly kind: 'group'; readonly attributes: JsonObject }

/** Everything the page of a group shows. */
export type DatasetPageData = {
  readonly at: PageSubject
  /** Path without a leading slash; the root group is `''`. */
  readonly group: string
  readonly content: GroupContent
  /** Sorted by UTF-8 bytes. */
  readonly childGroups: readonly ChildGroup[]
}

/** The page as a document. */
export function datasetPage(data: DatasetPageData, links: PageLinks): string {
  const { at, group, content } = data
  const isLong = countArrays(content) > filterAbove
  const coverage = coverageSection(content.kind === 'dataset' ? content.dataset.attributes : content.attributes)
  return layout({
    title: [group || at.repository, `${at.repository} at ${at.ref.name}`, at.deployment.org],
    stylesheet: links.stylesheet,
    ...(isLong && { script: links.filterScript }),
    home: links.home,
    breadcrumbs: listBreadcrumbs(at, links, group),
    footer: listDocumentationLinks(links),
    showsMetadata: true,
    main: html`<div class="with-aside">
      <div class="masthead">${heading(data)} ${viewLinks(data, links)}</div>
      <aside aria-label="${coverage ? 'Commit and coverage' : 'Commit'}">${commitCard(at)} ${coverage}</aside>
      <div class="sections">
        ${content.kind === 'unreadable' && refusal(content.reason)}
        ${isLong && filterBox('Filter variables', 'variables')} ${contentSections(data, links)}
        ${snippets(at, { group, reader: content.kind === 'unreadable' ? 'zarr' : 'xarray' }, links)}
      </div>
    </div>`,
  })
}

function countArrays(content: GroupContent): number {
  return content.kind === 'group' ? 0 : content.arrays.size
}

function heading({ at, group, content }: DatasetPageData): Html {
  const nameStart = group.lastIndexOf('/') + 1
  return html`<div>
    <p class="kind">${kindText(content)}</p>
    <h1>${group === '' ? at.repository : html`<span>${group.slice(0, nameStart)}</span>${group.slice(nameStart)}`}</h1>
  </div>`
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
