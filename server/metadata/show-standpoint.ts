import { type Commit, readAuthor, type Repository, type ResolvedRef, type Snapshot } from '@floe/storage/icechunk'
import type { ShownDeployment, ShownCommit, Standpoint } from '../web/standpoint.ts'
import type { MetadataContext } from './metadata-context.ts'

type Address = { readonly deployment: string; readonly org: string; readonly repo: string; readonly ref: string }

/** A ref of a repository and its snapshot. */
export type SnapshotOfRef = {
  readonly repository: Repository
  readonly resolved: ResolvedRef
  readonly snapshot: Snapshot
}

/** Describes the ref that a page is about, for its breadcrumbs and facts. */
export function showStandpoint(
  context: MetadataContext,
  address: Address,
  { repository, resolved, snapshot }: SnapshotOfRef,
): Standpoint {
  return {
    deployment: showDeployment(context, address),
    repository: address.repo,
    location: showLocation(repository),
    ref: { kind: resolved.kind, name: address.ref },
    commit: showCommit(snapshot),
  }
}

/**
 * Returns the location of a repository, for readers who open it themselves. Null for a local directory, because readers cannot open it
 * and its path should not be public.
 */
export function showLocation({ location }: Repository): string | null {
  return location.includes('://') ? location : null
}

/** Describes a deployment for pages. */
export function showDeployment(
  context: MetadataContext,
  { deployment, org }: Pick<Address, 'deployment' | 'org'>,
): ShownDeployment {
  return { org: org, name: deployment, baseUrl: context.baseUrl() }
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
