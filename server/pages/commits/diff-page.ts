// The page of what changed between two snapshots.
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { byline, listFirstSteps, nameRefKind, type ShownCommit, showTitle, type PageSubject } from '../page-subject.ts'
import { changeTree, type ShownChanges } from './change-tree.ts'
import { compareForm } from './compare-form.ts'

/** One of the two snapshots: the ref that leads to it, and its commit. */
type ComparedRef = { readonly ref: PageSubject['ref']; readonly commit: ShownCommit }

export type DiffPageData = {
  readonly deployment: PageSubject['deployment']
  readonly repository: string
  readonly from: ComparedRef
  readonly to: ComparedRef
  readonly changes: ShownChanges
  /** Why the changed chunks are not known. */
  readonly chunksUnavailable: 'not-an-ancestor' | 'missing' | null
}

export function diffPage(data: DiffPageData, links: PageLinks): string {
  const { deployment, repository, from, to, changes, chunksUnavailable } = data
  const swap = html`<nav class="views" aria-label="Other comparisons">
    <a href="${links.diff(repository, to.ref.name, from.ref.name)}">Swap</a>
  </nav>`
  return deploymentLayout(links, {
    deployment,
    title: [`${from.ref.name} to ${to.ref.name}`, repository, deployment.org],
    breadcrumbs: [...listFirstSteps({ deployment, repository }, links), { text: `${from.ref.name} to ${to.ref.name}` }],
    main: html`${masthead(`What changed in ${repository}`, html`${from.ref.name} <span>to</span> ${to.ref.name}`, swap)}
      <div class="compared">${comparedRef('From', from, data, links)} ${comparedRef('To', to, data, links)}</div>
      ${compareForm(repository, [], { from: from.ref.name, to: to.ref.name }, links)}
      <section class="section">
        <h2>Changes <span>(${summarise(changes)})</span></h2>
        ${chunksUnavailable !== null && html`<p class="note">${explanations[chunksUnavailable]}</p>`}
        ${changeTree(changes)}
      </section>`,
  })
}

const explanations = {
  'not-an-ancestor':
    'The first snapshot is not an ancestor of the second, so the two were compared directly. Which chunks changed is not known.',
  missing:
    'The transaction log of a commit between the two is missing, so the two were compared directly. Which chunks changed is not known.',
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
    <p>${showTitle(commit)}</p>
    <p>${byline(commit)}</p>
    ${ref.kind !== 'snapshot' && html`<p><code>${commit.snapshotId}</code></p>`}
  </section>`
}

function summarise({ groups, arrays, moves, chunks }: ShownChanges): string {
  const parts = (['created', 'deleted', 'updated'] as const).map(
    (change) => [groups[change].length + arrays[change].length, change] as const,
  )
  const counts = [
    ...parts,
    [moves.length, 'moved'] as const,
    [(chunks ?? []).length, 'with changed chunks'] as const,
  ].filter(([count]) => count > 0)
  return counts.map(([count, words]) => `${count.toLocaleString('en')} ${words}`).join(', ') || 'none'
}
