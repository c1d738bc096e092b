// The page of what changed between two snapshots.
import type { Remark } from '@floe/contract'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import {
  byline,
  getCommitTitle,
  listRepositoryBreadcrumbs,
  nameRefKind,
  type PageSubject,
  type ShownCommit,
} from '../page-subject.ts'
import { remarkNotes } from '../parts/remark-notes.ts'
import { changeTree } from './change-tree.ts'
import { collectChanges, countChanges, type ShownChanges } from './collect-changes.ts'
import { compareForm } from './compare-form.ts'
import { type ShownComparison, verdictSection } from './verdict-section.ts'

/** One of the two snapshots: the ref that leads to it, and its commit. */
type ComparedRef = { readonly ref: PageSubject['ref']; readonly commit: ShownCommit }

export type DiffPageData = {
  readonly deployment: PageSubject['deployment']
  readonly repository: string
  readonly from: ComparedRef
  readonly to: ComparedRef
  readonly changes: ShownChanges
  readonly comparison: ShownComparison
  /** What administrators say of the two snapshots. */
  readonly remarks: readonly Remark[]
  /** Why the changed chunks are unknown; null when they are known. */
  readonly chunksUnavailable: 'not-an-ancestor' | 'missing' | null
}

/** The page of a comparison. */
export function diffPage(data: DiffPageData, links: PageLinks): string {
  const { deployment, repository, from, to, changes, comparison, chunksUnavailable } = data
  const json = links.compatibility(repository, from.ref.name, to.ref.name)
  const nodes = collectChanges(changes)
  const swap = html`<nav class="views" aria-label="Other comparisons">
    <a href="${links.diff(repository, to.ref.name, from.ref.name)}">Swap</a>
  </nav>`
  return deploymentLayout(links, {
    deployment,
    title: [`${from.ref.name} to ${to.ref.name}`, repository, deployment.org],
    breadcrumbs: [
      ...listRepositoryBreadcrumbs({ deployment, repository }, links),
      { text: `${from.ref.name} to ${to.ref.name}` },
    ],
    main: html`${masthead(`What changed in ${repository}`, html`${from.ref.name} <span>to</span> ${to.ref.name}`, swap)}
      ${remarkNotes(data.remarks, links)} ${verdictSection(comparison, json, `${links.help}using/breaking-changes`)}
      <div class="compared">${comparedRef('From', from, data, links)} ${comparedRef('To', to, data, links)}</div>
      ${compareForm(repository, [], { from: from.ref.name, to: to.ref.name }, links)}
      <section class="section">
        <h2>Changes <span>(${countChanges(nodes)})</span></h2>
        ${chunksUnavailable !== null && html`<p class="note">${chunksUnknown[chunksUnavailable]}</p>`}
        ${changeTree(nodes)}
      </section>`,
  })
}

/** Says why the changed chunks are unknown. */
const chunksUnknown = {
  'not-an-ancestor':
    'The first snapshot is not an ancestor of the second, so the two were compared directly. ' +
    'The changed chunks are unknown.',
  missing:
    'The transaction log of a commit between the two is missing, so the two were compared directly. ' +
    'The changed chunks are unknown.',
} as const

function comparedRef(
  label: string,
  { ref, commit }: ComparedRef,
  { repository }: DiffPageData,
  links: PageLinks,
): Html {
  return html`<section aria-label="${label}">
    <h2>${label} <span>${nameRefKind(ref.kind).toLowerCase()}</span></h2>
    <p><a href="${links.ref(repository, ref.name)}">${ref.name}</a></p>
    <p>${getCommitTitle(commit)}</p>
    <p>${byline(commit)}</p>
    ${ref.kind !== 'snapshot' && html`<p><code>${commit.snapshotId}</code></p>`}
  </section>`
}
