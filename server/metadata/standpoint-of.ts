import { type Commit, commitAuthor, type ResolvedRef, type Snapshot } from '@floe/storage/icechunk'
import type { Deployment, ShownCommit, Standpoint } from '../web/standpoint.ts'
import type { MetadataContext } from './metadata-context.ts'

type Address = { readonly deployment: string; readonly org: string; readonly repo: string; readonly ref: string }

/** Where a page stands that shows a ref of a repository. */
export function standpointOf(
  context: MetadataContext,
  address: Address,
  kind: ResolvedRef['kind'],
  snapshot: Snapshot,
): Standpoint {
  return {
    deployment: deploymentOf(context, address),
    repository: address.repo,
    // Readers need not know where repositories lie; administrators see it elsewhere.
    location: null,
    ref: { kind, name: address.ref },
    commit: showCommit(snapshot),
  }
}

/** A deployment as pages name it. */
export function deploymentOf(
  context: MetadataContext,
  { deployment, org }: Pick<Address, 'deployment' | 'org'>,
): Deployment {
  return { organisation: org, name: deployment, baseUrl: context.baseUrl() }
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
