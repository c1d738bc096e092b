// What a page is about: organisation, repository, ref and commit; and the parts of a page that show it.
import type { JsonObject } from '@floe/storage/json'
import type { PublishedStorage } from '../published-storage.ts'
import { html, type Html } from './html.ts'
import type { Breadcrumb } from './layout.ts'
import { clipText } from './page-budget.ts'
import type { PageLinks } from './page-links.ts'

/** A deployment as pages name it, and the address at which readers reach it. */
export type ShownDeployment = {
  readonly name: string
  readonly org: string
  /** Public address of the service, ending in `/v1`. */
  readonly baseUrl: string
  /** Whether its repositories can be searched, which gives its pages a search box. */
  readonly hasSearch: boolean
  /** Whether anybody may read it, search engines included. */
  readonly isPublic: boolean
}

export type ShownCommit = {
  readonly snapshotId: string
  readonly writtenAt: Date
  /** Null when the commit names no author. */
  readonly author: string | null
  readonly message: string
}

/** Where a page about a ref leads to. The lists may be incomplete. */
export type Navigation = {
  /** The commit before; null for the first one. */
  readonly parentId: string | null
  readonly branches: readonly string[]
  readonly tags: readonly string[]
}

/** A ref of a repository and the commit that it points to. */
export type PageSubject = {
  readonly deployment: ShownDeployment
  readonly repository: string
  /** Address of the repository in its store, without credentials; null when readers must not see it. */
  readonly location: string | null
  /** How readers open it without Floe; null when that is not published. */
  readonly published: PublishedStorage | null
  readonly ref: { readonly kind: 'branch' | 'tag' | 'snapshot'; readonly name: string }
  readonly commit: ShownCommit & {
    /** Metadata items besides those of the author. */
    readonly metadata: JsonObject
  }
  readonly navigation: Navigation
}

const maxTitleLength = 200

export function listFirstSteps(
  { deployment: { org }, repository }: Pick<PageSubject, 'deployment' | 'repository'>,
  links: PageLinks,
): Breadcrumb[] {
  return [
    { text: org, href: links.home, label: `Organisation ${org}` },
    { text: repository, href: links.repository(repository), label: `Repository ${repository}` },
  ]
}

/** Breadcrumbs from the organisation to the group, or to the ref when no group is given. */
export function listBreadcrumbs(at: PageSubject, links: PageLinks, group?: string): Breadcrumb[] {
  const { repository, ref } = at
  const steps = [
    ...listFirstSteps(at, links),
    { text: ref.name, href: links.ref(repository, ref.name), label: `${nameRefKind(ref.kind)} ${ref.name}` },
  ]
  if (group !== undefined) {
    steps.push({ text: '/', href: links.dataset(repository, ref.name, ''), label: 'Root group' })
    const names = group === '' ? [] : group.split('/')
    for (const [index, text] of names.entries()) {
      const path = names.slice(0, index + 1).join('/')
      steps.push({ text, href: links.dataset(repository, ref.name, path), label: `Group ${text}` })
    }
  }
  return steps
}

/** `2026-01-02 03:04:05 UTC`. */
export function timeElement(time: Date): Html {
  const iso = time.toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`
}

export const noMessage = 'No message'

/** The first line of a commit's message, cut. */
export function showTitle({ message }: Pick<ShownCommit, 'message'>): string {
  const [firstLine = ''] = message.trim().split('\n', 1)
  return clipText(firstLine || noMessage, maxTitleLength)
}

export function byline({ writtenAt, author }: Pick<ShownCommit, 'writtenAt' | 'author'>): Html {
  return html`${timeElement(writtenAt)}${author !== null && html` by <span>${author}</span>`}`
}

/** `Branch`, `Tag`, `Snapshot`. */
export function nameRefKind(kind: PageSubject['ref']['kind']): string {
  return { branch: 'Branch', tag: 'Tag', snapshot: 'Snapshot' }[kind]
}
