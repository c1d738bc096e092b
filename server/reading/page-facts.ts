import type { PublishedStorage, Remark } from '@floe/contract'
import { authorItems, type Commit, readAuthor, type Snapshot } from '@floe/storage/icechunk'
import type { RepositoryMetadata } from '../groups/repository-metadata.ts'
import { type PageLinks, buildPageLinks } from '../pages/page-links.ts'
import type { Navigation, PageSubject, ShownCommit, ShownDeployment } from '../pages/page-subject.ts'

/**
 * What a page about a snapshot says about the repository and links to. Plain data, so that a thread can receive it.
 */
export type PageFacts = RepositoryMetadata & {
  readonly deployment: ShownDeployment
  readonly repo: string
  readonly ref: PageSubject['ref']
  readonly asOf: PageSubject['asOf']
  /** Address of the repository in its store; null when readers must not see it. */
  readonly location: string | null
  /** How readers open it without Floe; null when that is not published. */
  readonly published: PublishedStorage | null
  /** What administrators say of the snapshot and of all in it; of both, if it is compared with another. */
  readonly remarks: readonly Remark[]
  /** Path of the API, ending in `/v1`. */
  readonly v1: string
  /** Path of stylesheets and scripts, without a trailing slash. */
  readonly assetsRoot: string
}

/** The facts of a document, which may have code that opens the repository. */
export type DocumentFacts = PageFacts & Pick<PageSubject, 'containers'>

/** The facts of a page that links to other refs; `navigation` is null where listing them costs reads. */
export type RefPageFacts = DocumentFacts & Pick<PageSubject, 'marks'> & { readonly navigation: Navigation | null }

/** Builds the links of a page. */
export function linkPage({ v1, deployment, assetsRoot }: PageFacts): PageLinks {
  return buildPageLinks(v1, deployment.name, deployment.org, assetsRoot)
}

/** Builds links with the public address of the service, for documents that are read elsewhere. */
export function linkAbsolutely({ deployment, assetsRoot }: PageFacts): PageLinks {
  return buildPageLinks(deployment.baseUrl, deployment.name, deployment.org, assetsRoot)
}

/** Describes the ref that a page is about, for its breadcrumbs and facts. */
export function showPageSubject(
  { deployment, repo, ref, asOf, location, published, remarks, containers, marks, navigation }: RefPageFacts,
  snapshot: Snapshot,
): PageSubject {
  // In format version 1, the parent may have expired since the file was read. Its address says so then.
  const unknown = { parentId: snapshot.parentIdInFile, branches: [], tags: [] }
  const metadata = new Map([...snapshot.metadata].filter(([name]) => !authorItems.includes(name)))
  const commit = { ...showCommit(snapshot), metadata }
  return {
    deployment,
    repository: repo,
    location,
    published,
    remarks,
    containers,
    ref,
    asOf,
    commit,
    marks,
    navigation: navigation ?? unknown,
  }
}

/** Describes a commit for pages. */
export function showCommit({
  id,
  writtenAt,
  message,
  metadata,
}: Pick<Commit, 'id' | 'writtenAt' | 'message' | 'metadata'>): ShownCommit {
  const author = readAuthor(metadata)
  return { snapshotId: id, writtenAt, message, author: author === 'unknown' ? null : author }
}
