import type { Remark } from '@floe/contract'
import { type Database, findRemarks, type FoundRemark } from '@floe/storage/database'
import { showRemark } from './show-remark.ts'

/** A snapshot of a repository. */
export type RemarkedPlace = {
  readonly repo: string
  readonly snapshotId: string
  /** The branch or tag by which it was found; null for the snapshot itself. */
  readonly ref: string | null
}

/**
 * Finds what is said at present of snapshots. The function that it returns lists the remarks about one of them, and
 * about any of its groups and arrays: retractions before notes, newest first.
 */
export async function findRemarksAbout(
  db: Database,
  org: string,
  places: readonly RemarkedPlace[],
  now: number,
): Promise<(place: RemarkedPlace) => readonly Remark[]> {
  const repos = [...new Set(places.map(({ repo }) => repo))]
  const found = await findRemarks(
    db,
    { org, repos },
    places.map(({ snapshotId }) => snapshotId),
  )
  const shown = found
    .filter(({ since, until }) => (since?.getTime() ?? 0) <= now && (until?.getTime() ?? Infinity) > now)
    .toSorted((one, other) => Number(one.kind === 'note') - Number(other.kind === 'note'))
  return (place) => shown.filter((remark) => isAbout(remark, place)).map(showRemark)
}

function isAbout(remark: FoundRemark, { repo, snapshotId, ref }: RemarkedPlace): boolean {
  const names = remark.snapshotIds === null || remark.snapshotIds.has(snapshotId)
  return names && remark.repo === repo && (remark.ref === null || remark.ref === ref)
}
