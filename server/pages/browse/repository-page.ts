// The page of a repository: its first datasets, its branches and tags, its newest commits, and a form that compares two
// refs.
import type { Remark, VirtualContainer } from '@floe/contract'
import type { RepositoryFacts } from '@floe/storage/icechunk'
import type { JsonObject } from '@floe/storage/json'
import { metadataFacts } from '../parts/commit-card.ts'
import { compareForm } from '../commits/compare-form.ts'
import { historyGraph, type ShownHistory } from '../commits/history-page.ts'
import { formatBytes } from '../../xarray/size.ts'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import { datasetSection, type ShownDatasets } from './dataset-list.ts'
import { catalogueViews, linkRepositoryCatalogues } from '../catalogues/catalogue-links.ts'
import { type ExpectedBranch, showExpectedBranch } from './expected-branch.ts'
import { showStated } from './stated-repository.ts'
import { clipText, moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import { linkFeed, type PageLinks } from '../page-links.ts'
import { listRepositoryBreadcrumbs, type ShownDeployment, timeElement } from '../page-subject.ts'
import { remarkNotes } from '../parts/remark-notes.ts'
import { filterAbove, filterBox, section } from '../parts/section.ts'

type ShownRef = { readonly name: string; readonly snapshotId: string }

/** Why a part of the page cannot be read. */
type Problem = { readonly problem: string }

export type RepositoryPageData = {
  readonly deployment: ShownDeployment
  readonly name: string
  /** Its address in the store, without credentials; null when readers must not see it. */
  readonly location: string | null
  readonly formatVersion: number
  /** Null in format version 1, which stores no state and has no operations log. */
  readonly state: RepositoryFacts | Problem | null
  /** Its virtual chunk containers; empty when readers must not see them. */
  readonly containers: readonly VirtualContainer[]
  /** What administrators say of the snapshot whose datasets it shows. */
  readonly remarks: readonly Remark[]
  /** What is expected of its branches, unmet ones first. */
  readonly expectations: readonly ExpectedBranch[]
  /** Sorted by UTF-8 bytes. */
  readonly branches: readonly ShownRef[]
  /** Sorted by UTF-8 bytes. */
  readonly tags: readonly ShownRef[]
  /** The newest commits of `main`, or of the first branch if there is no `main`; null when there is no branch. */
  readonly history: ShownHistory | Problem | null
  /** The first datasets of the same branch. */
  readonly datasets: ShownDatasets | Problem | null
}

/** Maximum size of the list of branches, and of that of tags. */
const listBytes = 400_000
/** Longer reasons for a status are cut, in characters. */
const maxReasonLength = 1_000
const maxFlags = 20
const maxContainers = 20
const maxPrefixLength = 200

/** The page of a repository. */
export function repositoryPage(data: RepositoryPageData, links: PageLinks): string {
  const { deployment, name, branches, tags } = data
  const isLong = branches.length + tags.length > filterAbove
  const catalogues = branches.some((branch) => branch.name === 'main')
    ? linkRepositoryCatalogues(deployment, name, links)
    : []
  const metadata = data.state === null || 'problem' in data.state ? new Map() : data.state.metadata
  const stated = showStated(metadata)
  const otherPages = html`<nav class="views" aria-label="About this repository">
    ${stated.thumbnail} ${data.state && html`<a href="${links.operations(name)}">Operations log</a>`}
    <a href="${links.settings(name)}" rel="nofollow">Settings</a>
    ${catalogueViews(catalogues)}
  </nav>`
  return deploymentLayout(links, {
    deployment,
    title: [stated.title ?? [], name, deployment.org].flat(),
    alternates: [
      ...(data.history && !('problem' in data.history) ? [linkFeed(name, data.history.ref.name, links)] : []),
      ...catalogues,
    ],
    scripts: [isLong && 'filter'],
    breadcrumbs: listRepositoryBreadcrumbs({ deployment, repository: name }, links),
    main: html`<div class="with-aside">
      ${masthead(
        stated.title === null ? 'Icechunk repository' : html`<code>${name}</code> <span>Icechunk repository</span>`,
        stated.title ?? name,
        otherPages,
        stated.shownSummary,
      )}
      ${remarkNotes(data.remarks, links)}
      <aside aria-label="Repository">${facts(data, stated.others, links)}</aside>
      <div class="sections">
        ${datasetsOrProblem(data, stated.summary, links)} ${isLong && filterBox('Filter branches and tags', 'refs')}
        ${refSection('branches', 'Branches', branches, data, links)} ${refSection('tags', 'Tags', tags, data, links)}
        ${historySection(data, links)} ${stated.readme}
      </div>
    </div>`,
  })
}

function datasetsOrProblem(
  { name, datasets }: RepositoryPageData,
  summary: string | null,
  links: PageLinks,
): Html | null {
  if (datasets === null || !('problem' in datasets))
    return datasets && datasetSection({ name, summary }, datasets, links)
  return html`<section class="section" id="datasets">
    <h2>Datasets</h2>
    <p class="note">The datasets cannot be listed: ${datasets.problem}</p>
  </section>`
}

function historySection({ name, branches, tags, history }: RepositoryPageData, links: PageLinks): Html | undefined {
  if (history === null) return undefined
  if ('problem' in history) {
    return html`<section class="section">
      <h2>Recent commits</h2>
      <p class="note">The commits cannot be read: ${history.problem}</p>
    </section>`
  }
  const { ref, commits } = history
  const [newest, parent] = commits
  const chosen = { from: parent?.snapshotId ?? newest?.snapshotId ?? '', to: ref.name }
  const names = [...branches, ...tags].map((ref) => ref.name)
  return html`<section class="section" id="commits">
    <h2>Recent commits <span>of ${ref.name}</span></h2>
    ${historyGraph(name, history, links)}
    <p class="note"><a href="${links.history(name, ref.name)}">Full history of ${ref.name}</a></p>
    ${compareForm(name, names, chosen, links)}
  </section>`
}

function facts(
  { name, location, formatVersion, state, containers, expectations, datasets }: RepositoryPageData,
  metadata: JsonObject,
  links: PageLinks,
): Html {
  return html`<dl class="commit">
    ${
      location !== null &&
      html`<dt>Location</dt>
        <dd><code>${location}</code></dd>`
    }
    <dt>Format version</dt>
    <dd>${formatVersion}</dd>
    ${containers.length > 0 && containerFacts(containers, links)}
    ${
      expectations.length > 0 &&
      html`<dt>Expectations</dt>
        ${expectations.map(
          (one) =>
            html`<dd>
              ${showExpectedBranch(one)}
              ${one.kind === 'good' && html`<a href="${links.good(name, one.branch)}">Heads of ${one.branch}</a>`}
            </dd>`,
        )}`
    }
    ${state && stateFacts(state, metadata)} ${datasets && !('problem' in datasets) && chunkFacts(datasets)}
  </dl>`
}

const maxBranchLength = 100

/** The bytes of the chunks of a branch. Nothing when they are unknown, or there are no chunks. */
function chunkFacts({ branch, bytes }: ShownDatasets): Html | false {
  if (bytes === null) return false
  const { native, inline, virtual } = bytes
  const parts = [
    { name: 'stored', chunks: native.chunks + inline.chunks, bytes: native.bytes + inline.bytes },
    { name: 'virtual', ...virtual },
  ].filter(({ chunks }) => chunks > 0)
  return (
    parts.length > 0 &&
    html`<dt>Chunks of ${clipText(branch, maxBranchLength)}</dt>
      ${parts.map(({ name, bytes }) => html`<dd>${formatBytes(BigInt(bytes))} ${name}</dd>`)}`
  )
}

/** Where the repository may take chunks from. Each address leads to the repositories that declare it too. */
function containerFacts(containers: readonly VirtualContainer[], links: PageLinks): Html {
  const leftOut = containers.length - maxContainers
  return html`<dt>Declared sources</dt>
    ${containers.slice(0, maxContainers).map(
      ({ prefix, region }) =>
        html`<dd>
          <a href="${links.sources(prefix)}" rel="nofollow"><code>${clipText(prefix, maxPrefixLength)}</code></a>
          ${region !== null && html`<small>${clipText(region, maxPrefixLength)}</small>`}
        </dd>`,
    )}
    ${leftOut > 0 && html`<dd>and ${leftOut.toLocaleString('en')} more</dd>`}
    <dd><small>Its configuration allows chunks from there. That is no proof of use.</small></dd>`
}

const availabilityNames = { online: 'Online', read_only: 'Read-only', offline: 'Offline', unknown: 'Unknown' }

function stateFacts(state: RepositoryFacts | Problem, metadata: JsonObject): Html {
  if ('problem' in state) {
    return html`<dt>State</dt>
      <dd>cannot be read: ${state.problem}</dd>`
  }
  const { status, featureFlags, snapshotCount } = state
  return html`<dt>State</dt>
    <dd>
      ${availabilityNames[status.availability]} since
      ${timeElement(status.since)}${status.reason !== null && `: ${clipText(status.reason, maxReasonLength)}`}
    </dd>
    <dt>Snapshots</dt>
    <dd>${snapshotCount.toLocaleString('en')}</dd>
    ${
      featureFlags.length > 0 &&
      html`<dt>Feature flags</dt>
        <dd>
          ${featureFlags
            .slice(0, maxFlags)
            .map(({ id, name, isEnabled }) => `${name ?? `number ${id}`} ${isEnabled ? 'enabled' : 'disabled'}`)
            .join(', ')}
        </dd>`
    }
    ${metadataFacts(metadata)}`
}

function refSection(
  id: string,
  title: string,
  refs: readonly ShownRef[],
  { name: repository }: RepositoryPageData,
  links: PageLinks,
): Html {
  const { rendered, leftOut } = renderWithin(
    new PageBudget(listBytes),
    refs,
    ({ name, snapshotId }) =>
      html`<li>
        <a href="${links.ref(repository, name)}">${name}</a> <code>${snapshotId}</code>
        <a href="${links.history(repository, name)}">history<span class="spoken"> of ${name}</span></a>
      </li>`,
  )
  return section({
    id,
    title,
    count: refs.length,
    isOpen: true,
    content: html`<ul class="refs">
        ${rendered}
      </ul>
      ${moreNote(leftOut, 'are not shown.')}`,
  })
}
