// The page of a group: the sections of xarray's HTML representation, in the same order, with facts about storage.
import type { Citation } from '@floe/contract'
import { viewNames } from '@floe/contract/constants'
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { selectRemarks } from '../../remarks/select-remarks.ts'
import type { StatedKind } from '../../self-description/kind/stated-kind.ts'
import { readFacts } from '../../self-description/read-facts.ts'
import type { DecodedDataset } from '../../xarray/dataset.ts'
import { formatBytes, sumBytes } from '../../xarray/size.ts'
import { listReaderNeeds } from '../../xarray/zarr-python/reader-needs.ts'
import { catalogueViews, linkDatasetCatalogues } from '../catalogues/catalogue-links.ts'
import { commitCard } from '../parts/commit-card.ts'
import { formatCount } from '../parts/format-count.ts'
import { html, type Html } from '../html.ts'
import { type Alternate, deploymentLayout, masthead } from '../layout.ts'
import { clipText } from '../page-budget.ts'
import { linkFeed, type PageLinks } from '../page-links.ts'
import { listRefBreadcrumbs, type PageSubject } from '../page-subject.ts'
import { nameRefusal, type Refusal } from '../parts/refusal.ts'
import { remarkNotes } from '../parts/remark-notes.ts'
import { filterAbove, filterBox } from '../parts/section.ts'
import { isIncomplete } from '../parts/written-chunks.ts'
import { type ChildGroup, childGroupSection } from './child-groups.ts'
import { attributeNote } from './attribute-note.ts'
import { attributeSection, storedArraySection, variableSections, type WrittenParts } from './dataset-sections.ts'
import { citationSection } from './citation-section.ts'
import { coverageSection } from './drawings/coverage-section.ts'
import { describeForSearchEngines } from './search-engines.ts'
import { snippets } from './snippets/snippet-section.ts'
import { formatNeeds } from './storage-facts.ts'

/** What the page shows: a dataset, a group that is not decoded, or a group without arrays. */
export type GroupContent =
  /** xarray can open the group. `arrays` has the stored arrays by name, for facts that decoding hides. */
  | { readonly kind: 'dataset'; readonly dataset: DecodedDataset; readonly arrays: ReadonlyMap<string, ArrayMetadata> }
  /** The group is shown as it is stored. An array whose document cannot be read is null. */
  | {
      readonly kind: 'unreadable'
      readonly refusal: Refusal
      readonly arrays: ReadonlyMap<string, ArrayMetadata | null>
      readonly attributes: JsonObject
    }
  | { readonly kind: 'group'; readonly attributes: JsonObject }

export type DatasetPageData = {
  readonly at: PageSubject
  /** Path without a leading slash; the root group is `''`. */
  readonly group: string
  readonly content: GroupContent
  readonly written: WrittenParts
  readonly citation: Citation
  /** Attributes of the groups above, the nearest first, whose facts the group inherits. Default: none. */
  readonly above?: readonly JsonObject[]
  /** Sorted by UTF-8 bytes. */
  readonly childGroups: readonly ChildGroup[]
}

const maxTitleLength = 200
const maxSummaryLength = 2_000

/** The page of a group. */
export function datasetPage(data: DatasetPageData, links: PageLinks): string {
  const { at, group, content, above = [] } = data
  const isLong = content.kind !== 'group' && content.arrays.size > filterAbove
  const dataset = content.kind === 'dataset' ? content.dataset : undefined
  const attributes = content.kind === 'dataset' ? content.dataset.attributes : content.attributes
  const facts = readFacts([attributes, ...above], dataset)
  const { title, titleAttribute, summary, extent, kind } = facts
  const coverage = coverageSection(extent)
  const lastChanges = links.lastChanges(at.repository, at.ref.name, group)
  const heading = title && clipText(title, maxTitleLength)
  return deploymentLayout(links, {
    deployment: at.deployment,
    title: [heading ?? [], group || at.repository, `${at.repository} at ${at.ref.name}`, at.deployment.org].flat(),
    alternates: [linkFeed(at.repository, at.ref.name, links), ...listCatalogues(data, links)],
    scripts: [
      isLong && 'filter',
      content.kind !== 'group' && content.arrays.size > 1 && 'sort',
      (content.kind !== 'group' || data.childGroups.length > 0) && 'last-changes',
      'copy',
    ],
    ...(dataset && at.deployment.isPublic && describeForSearchEngines(dataset, { at, group, facts })),
    breadcrumbs: listRefBreadcrumbs(at, links, group),
    main: html`<div class="with-aside">
      ${masthead(
        heading ? html`<code>/${group}</code> <span>${kindText(content)}</span>` : kindText(content),
        heading ? titleHeading(heading, titleAttribute) : pathHeading(group, at.repository),
        viewLinks(data, links),
        summary && clipText(summary, maxSummaryLength),
      )}
      ${remarkNotes(selectRemarks(at.remarks, group), links)}
      ${content.kind === 'unreadable' && refusalNote(content.refusal)}
      <aside aria-label="${coverage ? 'Commit and coverage' : 'Commit'}">
        ${commitCard(at, links, group)} ${coverage}
      </aside>
      <div class="sections" data-changes="${lastChanges}" data-group="${group}">
        ${kind && html`<p class="note">${kindLine(kind)}</p>`} ${content.kind !== 'group' && needsNote(content.arrays)}
        ${incompleteNote(data, links)} ${isLong && filterBox('Filter variables', 'variables')}
        ${contentSections(data, links)} ${citationSection(data.citation)}
        ${snippets(at, { group, reader: content.kind === 'unreadable' ? 'zarr' : 'xarray' }, links)}
      </div>
    </div>`,
  })
}

/** The heading of a group with a title, and the attribute that it is from unless that is the usual one. */
function titleHeading(title: string, attribute: string | null): Html {
  return attribute === 'title' ? html`${title}` : html`<b title="attribute ${attribute}">${title}</b>`
}

/** The heading of a group without a title: its path, with the last name emphasised. */
function pathHeading(group: string, repository: string): Html {
  const nameStart = group.lastIndexOf('/') + 1
  return group === '' ? html`${repository}` : html`<span>${group.slice(0, nameStart)}</span>${group.slice(nameStart)}`
}

function kindText(content: GroupContent): Html {
  if (content.kind === 'group') return html`Zarr group without arrays`
  if (content.kind === 'unreadable') return html`Zarr group`
  return html`xarray.Dataset <span>${formatBytes(sumBytes(content.dataset))} uncompressed</span>`
}

/** `Multiscale image, 3 levels, y and x in micrometer (attribute ome)`. */
function kindLine({ text, attribute }: StatedKind): Html {
  return html`${text.slice(0, 1).toUpperCase()}${text.slice(1)} ${attributeNote(attribute)}`
}

function viewLinks({ at, group, content, childGroups }: DatasetPageData, links: PageLinks): Html {
  const views = content.kind === 'unreadable' ? [] : viewNames
  return html`<nav class="views" aria-label="Views of this group">
    <a href="#open">Open</a>
    ${childGroups.length > 0 && html`<a href="#groups">${formatCount(childGroups.length, 'group')}</a>`}
    ${views.length > 0 && html`<span>JSON:</span>`}
    ${views.map((view) => html`<a href="${links.view(at.repository, at.ref.name, group, view)}">${view}</a>`)}
    ${catalogueViews(listCatalogues({ at, group, content }, links))}
  </nav>`
}

function listCatalogues(
  { at, group, content }: Pick<DatasetPageData, 'at' | 'group' | 'content'>,
  links: PageLinks,
): readonly Alternate[] {
  return content.kind === 'group' ? [] : linkDatasetCatalogues(at, group, links)
}

function refusalNote(refusal: Refusal): Html {
  return html`<div class="refusal" role="note">
    <h2>${nameRefusal(refusal)}</h2>
    <p>${refusal.reason}</p>
    <p>The metadata is shown below as it is stored.</p>
  </div>`
}

/** Tells what readers of the arrays need beside zarr-python; the facts about each array have it too. */
function needsNote(arrays: ReadonlyMap<string, ArrayMetadata | null>): Html | false {
  // Arrays that differ only in their attributes share a document.
  const stored = new Map([...arrays.values()].flatMap((array) => (array ? [[array.document, array]] : [])))
  const needs = new Set([...stored.values()].flatMap(listReaderNeeds))
  return (
    needs.size > 0 &&
    html`<p class="note">zarr-python alone cannot read all arrays. Readers need: ${formatNeeds([...needs])}.</p>`
  )
}

/** Explains chunks that are not written, if there are any. */
function incompleteNote({ at, group, written }: DatasetPageData, links: PageLinks): Html | false {
  const count = [...written.chunks.values()].filter(isIncomplete).length
  const json = links.completeness(at.repository, at.ref.name, group)
  const gaps = links.gaps(at.repository, at.ref.name, { group })
  return (
    count > 0 &&
    html`<p class="note">
      ${formatCount(count, 'array')} ${count === 1 ? 'has' : 'have'} chunks that are not written. They read as the fill
      value. Zarr does not write chunks that hold only this value, and some data is filled in later.
      <a href="${gaps}" rel="nofollow">Which chunks these are</a> <a href="${json}">Counts as JSON</a>
    </p>`
  )
}

function contentSections({ at, group, content, written, childGroups }: DatasetPageData, links: PageLinks): Html {
  const dict = links.view(at.repository, at.ref.name, group, 'dict')
  const pathOf = (name: string) => (group === '' ? name : `${group}/${name}`)
  const variableLinks = {
    history: (name: string) => links.pathHistory(at.repository, at.ref.name, pathOf(name)),
    gaps: (name: string) => links.arrayGaps(at.repository, at.ref.name, pathOf(name)),
  }
  const groups = childGroupSection(at, childGroups, links)
  if (content.kind === 'group') return html`${groups} ${attributeSection(content.attributes, dict)}`
  if (content.kind === 'unreadable') {
    return html`${storedArraySection(content.arrays, written, variableLinks)} ${attributeSection(content.attributes)}
    ${groups}`
  }
  return html`${variableSections(content.dataset, content.arrays, written, variableLinks)}
  ${attributeSection(content.dataset.attributes, dict)} ${groups}`
}
