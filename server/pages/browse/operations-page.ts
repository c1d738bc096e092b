// The operations log of a repository, newest first: what was done to its branches, tags and configuration.
import type { OperationsPage } from '@floe/contract'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { listRepositoryBreadcrumbs, type ShownDeployment, timeElement } from '../page-subject.ts'

type Operation = OperationsPage['operations'][number]

export type OperationsPageData = {
  readonly deployment: ShownDeployment
  readonly repository: string
  readonly page: OperationsPage
  /** Whether the page begins with the newest operation. */
  readonly isNewest: boolean
}

/** Longer names and texts are cut, in characters. */
const maxTextLength = 1_000

/** A page of the operations log. */
export function operationsPage(
  { deployment, repository, page, isNewest }: OperationsPageData,
  links: PageLinks,
): string {
  const { operations, next } = page
  return deploymentLayout(links, {
    deployment,
    title: [`Operations log of ${repository}`, deployment.org],
    breadcrumbs: [...listRepositoryBreadcrumbs({ deployment, repository }, links), { text: 'operations log' }],
    main: html`${masthead(`What was done to the repository ${repository}`, 'Operations log')}
      <ol class="refs operations">
        ${operations.map((operation) => operationRow(operation, repository, links))}
      </ol>
      ${noteAtEnd(page)}
      ${
        (!isNewest || next !== null) &&
        html`<nav class="pages" aria-label="Pages of the operations log">
          ${!isNewest && html`<a href="${links.operations(repository)}">Newest operations</a>`}
          ${next !== null && html`<a href="${links.operations(repository, next)}" rel="next">Older operations</a>`}
        </nav>`
      }`,
  })
}

function noteAtEnd({ operations, next, ...page }: OperationsPage): Html | false {
  if (page.operations_unavailable_reason !== null) {
    return html`<p class="note">Version 1 of the Icechunk format has no operations log.</p>`
  }
  if (page.is_cut_off) {
    return html`<p class="note">Older operations are missing: their part of the log no longer exists.</p>`
  }
  if (operations.length > 0) return false
  return html`<p class="note">${next === null ? 'There are no more operations.' : 'No operations on this page.'}</p>`
}

/** One operation. Its snapshot is a link while the repository lists the snapshot; only then its author is known. */
function operationRow(operation: Operation, repository: string, links: PageLinks): Html {
  const { snapshot_id: id, author_id: author, done_at } = operation
  const snapshot = html`<code>${id}</code>`
  const byAuthor = author !== null && author !== 'unknown' && ` by ${clipText(author, maxTextLength)}`
  return html`<li>
    <p>${clipText(describe(operation), maxTextLength)}</p>
    ${author !== null && id !== null ? html`<a href="${links.ref(repository, id)}">${snapshot}</a>` : snapshot}
    <p>${timeElement(new Date(done_at))}${byAuthor}</p>
  </li>`
}

function describe({ kind, branch, tag, previous_snapshot_id: previous, ...operation }: Operation): string {
  const before = previous === null ? '' : `; it pointed to ${previous}`
  switch (kind) {
    case 'repository_created':
      return 'Repository created'
    case 'repository_migrated':
      return describeMigration(operation.migration)
    case 'config_changed':
      return 'Configuration changed'
    case 'metadata_changed':
      return 'Metadata of the repository changed'
    case 'tag_created':
      return `Tag ${tag} created`
    case 'tag_deleted':
      return `Tag ${tag} deleted${before}`
    case 'branch_created':
      return `Branch ${branch} created`
    case 'branch_deleted':
      return `Branch ${branch} deleted${before}`
    case 'branch_reset':
      return `Branch ${branch} reset${before}`
    case 'commit':
      return `Commit on ${branch}`
    case 'commit_amended':
      return `Commit on ${branch} amended${previous === null ? '' : `; it replaces ${previous}`}`
    case 'detached_snapshot':
      return 'Snapshot written without a branch'
    case 'garbage_collection':
      return 'Garbage collected'
    case 'expiration':
      return 'Old snapshots expired'
    case 'feature_flag_changed':
      return describeFlag(operation.feature_flag)
    case 'status_changed':
      return describeStatus(operation.status)
    case 'unknown':
      return 'Unknown operation, newer than this version of Floe'
  }
}

function describeMigration(migration: Operation['migration']): string {
  return `Format migrated${migration === null ? '' : ` from version ${migration.from} to ${migration.to}`}`
}

function describeFlag(flag: Operation['feature_flag']): string {
  if (flag === null) return 'Feature flag changed'
  const state = flag.enabled === null ? 'set to its default' : flag.enabled ? 'enabled' : 'disabled'
  return `Feature flag ${flag.id} ${state}`
}

function describeStatus(status: Operation['status']): string {
  if (status === null) return 'State changed'
  return `Set ${status.availability.replace('_', '-')}${status.reason === null ? '' : `: ${status.reason}`}`
}
