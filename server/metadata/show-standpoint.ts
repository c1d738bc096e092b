import { type Commit, commitAuthor, type Repository, type ResolvedRef, type Snapshot } from '@floe/storage/icechunk'
import type { ShownDeployment, ShownCommit, Standpoint } from '../web/standpoint.ts'
import type { MetadataContext } from './metadata-context.ts'

type Address = { readonly deployment: string; readonly org: string; readonly repo: string; readonly ref: string }

/** A ref of a repository, and the snapshot it names. */
export type SnapshotOfRef = {
  readonly repository: Repository
  readonly resolved: ResolvedRef
  readonly snapshot: Snapshot
}

/** Where a page stands that shows a ref of a repository. */
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
 * Where a repository lies, for readers who open it themselves: null for a directory of this machine, which is of no use to them
 * and none of their business.
 */
export function showLocation({ location }: Repository): string | null {
  return location.includes('://') ? location : null
}

/** A deployment as pages name it. */
export function showDeployment(
  context: MetadataContext,
  { deployment, org }: Pick<Address, 'deployment' | 'org'>,
): ShownDeployment {
  return { org: org, name: deployment, baseUrl: context.baseUrl() }
}

/** A commit as pages show it. */
export function showCommit({
  id,
  writtenAt,
  message,
  metadata,
}: Pick<Commit, 'id' | 'writtenAt' | 'message' | 'metadata'>): ShownCommit {
  const author = commitAuthor(metadata)
  return { snapshotId: id, writtenAt, message, author: author === 'unknown' ? null : author }
}
