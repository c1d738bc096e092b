import { type Commit, readAuthor, type Snapshot } from '@floe/storage/icechunk'
import type { ShownCommit, PageSubject } from '../pages/page-subject.ts'
import type { PageAddress } from './page-address.ts'

/** Describes the ref that a page is about, for its breadcrumbs and facts. */
export function showPageSubject({ deployment, repo, ref, location }: PageAddress, snapshot: Snapshot): PageSubject {
  return { deployment, repository: repo, location, ref, commit: showCommit(snapshot) }
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
