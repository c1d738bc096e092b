// Remarks for pages and documents, which do without them while the database is away.
import type { Remark } from '@floe/contract'
import { type Database, unlessUnavailable } from '@floe/storage/database'
import type { ResolvedRef } from '@floe/storage/icechunk'
import type { Timing } from '../timing.ts'
import { findRemarksAbout, type RemarkedPlace } from './find-remarks.ts'
import type { RepositoryNames } from '../catalog/find-repository.ts'

type RemarksContext = { readonly db: Database; readonly timing: Pick<Timing, 'now'> }

/** The place of a ref as a caller has named it. */
export function toPlace(repo: string, { kind, name, snapshotId }: ResolvedRef): RemarkedPlace {
  return { repo, snapshotId, ref: kind === 'snapshot' ? null : name }
}

/** Finds what is said of snapshots of a repository, each remark once. */
export async function findKnownRemarks(
  context: RemarksContext,
  { org, repo }: RepositoryNames,
  refs: readonly ResolvedRef[],
): Promise<readonly Remark[]> {
  const places = refs.map((ref) => toPlace(repo, ref))
  const find = await findKnown(context, org, places)
  return [...new Map(places.flatMap(find).map((remark) => [remark.id, remark])).values()]
}

/** Finds for each of some snapshots the remarks that name it, by its id. */
export function makeFindNaming(context: RemarksContext, { org, repo }: RepositoryNames) {
  return async (snapshotIds: readonly string[]): Promise<(snapshotId: string) => readonly Remark[]> => {
    const places = snapshotIds.map((snapshotId) => ({ repo, snapshotId, ref: null }))
    const find = await findKnown(context, org, places)
    return (snapshotId) =>
      find({ repo, snapshotId, ref: null }).filter(({ snapshot, from }) => snapshot !== null || from !== null)
  }
}

/** Like {@link findRemarksAbout}, but finds none while the database is away. */
function findKnown({ db, timing }: RemarksContext, org: string, places: readonly RemarkedPlace[]) {
  return unlessUnavailable(findRemarksAbout(db, org, places, timing.now()), () => [])
}
