// The page of the operations on a repository, newest first: what was done to its branches, tags and settings.
import type { OperationsPage } from '@floe/contract'
import { html, type Html } from '../html.ts'
import { deploymentLayout, masthead } from '../layout.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import { listFirstSteps, type ShownDeployment, timeElement } from '../page-subject.ts'

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

export function operationsPage(
  { deployment, repository, page, isNewest }: OperationsPageData,
  links: PageLinks,
): string {
  const { operations, next } = page
  return deploymentLayout(links, {
    deployment,
    title: [`Operations on ${repository}`, deployment.org],
    breadcrumbs: [...listFirstSteps({ deployment, repository }, links), { text: 'operations' }],
    main: html`${masthead('What was done to the repository', `Operations on ${repository}`)}
      <ol class="refs operations">
        ${operations.map((operation) => operationRow(operation, repository, links))}
      </ol>
      ${noteAtEnd(page)}
      ${
        (!isNewest || next !== null) &&
        html`<nav class="pages" aria-label="Pages of operations">
          ${!isNewest && html`<a href="${links.operations(repository)}">Newest operations</a>`}
          ${next !== null && html`<a href="${links.operations(repository, next)}" rel="next">Older operations</a>`}
        </nav>`
      }`,
  })
}

function noteAtEnd({ operations, next, ...page }: OperationsPage): Html | false {
  if (page.operations_unavailable_reason !== null) {
    return html`<p class="note">Version 1 of the Icechunk format keeps no log of operations.</p>`
  }
  if (page.is_cut_off) {
    return html`<p class="note">Older operations are missing: their part of the log no longer exists.</p>`
  }
  if (operations.length > 0) return false
  return html`<p class="note">${next === null ? 'There are no more operations.' : 'No operations on this page.'}</p>`
}

/** The snapshot is a link while the repository lists it, which the author shows. */
function operationRow(operation: Operation, repository: string, links: PageLinks): Html {
  const { snapshot_id: id, author_id: author, done_at } = operation
  return html`<li>
    <p>${clipText(describe(operation), maxTextLength)}</p>
    ${author !== null && id !== null ? html`<a href="${links.ref(repository, id)}"><code>${id}</code></a>` : html`<code>${id}</code>`}
    <p>
      ${timeElement(new Date(done_at))}${author !== null && author !== 'unknown' && ` by ${clipText(author, maxTextLength)}`}
    </p>
  </li>`
}

function describe({ kind, branch, tag, previous_snapshot_id: previous, ...operation }: Operation): string {
  const before = previous === null ? '' : `; it pointed to ${previous}`
  switch (kind) {
    case 'repository_created':
      return 'Repository created'
    case 'repository_migrated':
      return `Format migrated${operation.migration ? ` from version ${operation.migration.from} to ${operation.migration.to}` : ''}`
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
      return `Commit on ${branch} amended${previous === null ? '' : `, in place of ${previous}`}`
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
      return 'An operation that this version of Floe does not know'
  }
}

function describeFlag(flag: Operation['feature_flag']): string {
  if (flag === null) return 'Feature changed'
  const state = flag.enabled === null ? 'set to its default' : flag.enabled ? 'enabled' : 'disabled'
  return `Feature ${flag.id} ${state}`
}

function describeStatus(status: Operation['status']): string {
  if (status === null) return 'State changed'
  return `Set ${status.availability.replace('_', '-')}${status.reason === null ? '' : `: ${status.reason}`}`
}
