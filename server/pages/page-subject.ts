// What a page is about: an organisation, a repository, a ref and a commit; and the parts of a page that show these.
import type { PublishedStorage, Remark, VirtualContainer } from '@floe/contract'
import type { JsonObject } from '@floe/storage/json'
import { html, type Html } from './html.ts'
import type { AccountLink, Breadcrumb } from './layout.ts'
import type { CheckMarks } from './parts/check-marks.ts'
import { clipText } from './page-budget.ts'
import type { PageLinks } from './page-links.ts'

/** A deployment as pages show it. */
export type ShownDeployment = {
  readonly name: string
  readonly org: string
  /** Public address of the service, ending in `/v1`. */
  readonly baseUrl: string
  /** Whether its repositories can be searched. If so, its pages have a search box. */
  readonly hasSearch: boolean
  /** Whether anybody may read it, search engines included. */
  readonly isPublic: boolean
  /** Undefined if nobody can sign in. */
  readonly account?: AccountLink | undefined
}

export type ShownCommit = {
  readonly snapshotId: string
  readonly writtenAt: Date
  /** Null when the commit names no author. */
  readonly author: string | null
  readonly message: string
}

/** Where the links of a page about a ref lead. The lists may be incomplete. */
export type Navigation = {
  /** The parent of the commit; null for the first commit. */
  readonly parentId: string | null
  readonly branches: readonly string[]
  readonly tags: readonly string[]
}

type ShownRef = { readonly kind: 'branch' | 'tag' | 'snapshot'; readonly name: string }

/** A ref of a repository and the commit that it points to. */
export type PageSubject = {
  readonly deployment: ShownDeployment
  readonly repository: string
  /** Address of the repository in its store, without credentials; null when readers must not see it. */
  readonly location: string | null
  /** How readers open it without Floe; null when that is not published. */
  readonly published: PublishedStorage | null
  /** What administrators say of the snapshot, and of all in it. */
  readonly remarks: readonly Remark[]
  /** Where its virtual chunks are; empty when readers must not see that, or in format version 1. */
  readonly containers: readonly VirtualContainer[]
  readonly ref: ShownRef
  /**
   * The ref that led to the snapshot, and the time; or how many heads the branch has had since this good one. `ref` is
   * the snapshot then. Null for other addresses.
   */
  readonly asOf: (ShownRef & ({ readonly time: Date } | { readonly behind: number })) | null
  readonly commit: ShownCommit & {
    /** The metadata of the commit without the author. */
    readonly metadata: JsonObject
  }
  /** The checks of the commit. */
  readonly marks: CheckMarks | null
  readonly navigation: Navigation
}

const maxTitleLength = 200

/** Lists the breadcrumbs from the organisation to the repository. */
export function listRepositoryBreadcrumbs(
  { deployment: { org }, repository }: Pick<PageSubject, 'deployment' | 'repository'>,
  links: PageLinks,
): Breadcrumb[] {
  return [
    { text: org, href: links.home, label: `Organisation ${org}` },
    { text: repository, href: links.repository(repository), label: `Repository ${repository}` },
  ]
}

/** Lists the breadcrumbs from the organisation to the group, or to the ref when no group is given. */
export function listRefBreadcrumbs(
  at: Pick<PageSubject, 'deployment' | 'repository' | 'ref'>,
  links: PageLinks,
  group?: string,
): Breadcrumb[] {
  const { repository, ref } = at
  const steps = [
    ...listRepositoryBreadcrumbs(at, links),
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

/** Shown for a commit without a message. */
export const noMessage = 'No message'

/** Returns the first line of a commit's message, cut if it is long. */
export function getCommitTitle({ message }: Pick<ShownCommit, 'message'>): string {
  const [firstLine = ''] = message.trim().split('\n', 1)
  return clipText(firstLine || noMessage, maxTitleLength)
}

/** When a commit was made, and by whom. */
export function byline({ writtenAt, author }: Pick<ShownCommit, 'writtenAt' | 'author'>): Html {
  return html`${timeElement(writtenAt)}${author !== null && html` by <span>${author}</span>`}`
}

/** Returns `Branch`, `Tag` or `Snapshot`. */
export function nameRefKind(kind: PageSubject['ref']['kind']): string {
  return { branch: 'Branch', tag: 'Tag', snapshot: 'Snapshot' }[kind]
}
