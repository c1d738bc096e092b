// The page of the heads of a branch: which are good, and what the others lack.
import type { GoodRequirements, JudgedHead } from '@floe/storage/database'
import { type CheckMarks, checkMarks } from '../parts/check-marks.ts'
import { formatCount } from '../parts/format-count.ts'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import { listRefBreadcrumbs, type ShownDeployment, timeElement } from '../page-subject.ts'

type ShownHead = Pick<JudgedHead, 'snapshotId' | 'seenAt' | 'state' | 'dueAt'> & {
  /** In words; empty if it is good. */
  readonly lacks: string
  readonly marks: CheckMarks | undefined
}

export type GoodPageData = {
  readonly deployment: ShownDeployment
  readonly repository: string
  readonly branch: string
  /** Null if nothing is required. */
  readonly requirements: GoodRequirements | null
  readonly lastGood: { readonly snapshotId: string; readonly behind: number } | null
  /** When the first head after the last good one was seen. */
  readonly since: Date | null
  /** Newest first. */
  readonly heads: readonly ShownHead[]
}

/** The page of the heads of a branch. */
export function goodPage(data: GoodPageData, links: PageLinks): string {
  const { deployment, repository, branch, heads } = data
  return deploymentLayout(links, {
    deployment,
    title: [`Good heads of ${branch}`, repository, deployment.org],
    breadcrumbs: [
      ...listRefBreadcrumbs({ deployment, repository, ref: { kind: 'branch', name: branch } }, links),
      { text: 'good heads' },
    ],
    main: html`${masthead(`Good heads of ${repository}`, branch)}
      <p class="detail">${summary(data, links)}</p>
      ${requirementNote(data)}
      <h2>Heads</h2>
      ${heads.length === 0 && html`<p class="note">Floe has seen no head yet since good ones are asked for.</p>`}
      <ol class="heads">
        ${heads.map((head) => html`<li>${showHead(head, data, links)}</li>`)}
      </ol>
      <p class="note"><a href="${links.history(repository, branch)}">History of ${branch}</a></p>`,
  })
}

function summary({ repository, branch, lastGood, since, heads }: GoodPageData, links: PageLinks): Html {
  if (lastGood === null) return html`No head is good, so <code>${branch}@good</code> names nothing.`
  const { behind } = lastGood
  const name = html`<a href="${links.ref(repository, `${branch}@good`)}"><code>${branch}@good</code></a>`
  if (behind === 0) return html`The head is good: ${name} is ${branch}.`
  return html`${name} is ${formatCount(behind, 'head')} behind
  ${branch}${since !== null && html` since ${timeElement(since)}`}${
    heads.length > 0 &&
    html`. <a href="${links.diff(repository, `${branch}@good`, branch)}" rel="nofollow">What changed since</a>`
  }`
}

function requirementNote({ requirements }: GoodPageData): Html {
  if (requirements === null) return html`<p class="note">Nothing says which heads are good.</p>`
  const { checks, expectations } = requirements
  const parts = [
    checks.length > 0 && `these checks have passed: ${checks.join(', ')}`,
    expectations.length > 0 && `these expectations are met: ${expectations.join(', ')}`,
  ].filter((part) => part !== false)
  return html`<p class="note">A head is good if ${[...parts, 'it is not retracted'].join(', and if ')}.</p>`
}

function showHead({ snapshotId, seenAt, state, lacks, dueAt, marks }: ShownHead, data: GoodPageData, links: PageLinks) {
  const isLastGood = snapshotId === data.lastGood?.snapshotId
  return html`<p>
      ${state === 'failed' ? html`<strong class="late">not good</strong>` : state === 'good' ? 'good' : 'pending'}
      <a href="${links.ref(data.repository, snapshotId)}"><code>${snapshotId}</code></a>
      ${isLastGood && html`<strong>last good</strong>`}
      <small>seen ${timeElement(seenAt)}</small>
    </p>
    ${
      lacks !== '' &&
      html`<p><bdi>${lacks}</bdi>${dueAt !== null && html` <small>fails at ${timeElement(dueAt)}</small>`}</p>`
    }
    ${marks && checkMarks(marks)}`
}
