// Where a repository keeps its objects, as keys below its location.
import type { SnapshotId } from './types.ts'

/** All references and the history of a version 2 repository, in one object. */
export const repoKey = 'repo'

/** A reference of version 1, by the name of its directory: `branch.NAME` or `tag.NAME`. */
export function writeRefKey(directory: string): string {
  return `refs/${directory}/ref.json`
}

/** The head of `main` in version 1. Every version 1 repository has it. */
export const mainRefKey = writeRefKey('branch.main')

/** One snapshot, in both versions. */
export function writeSnapshotKey(id: SnapshotId): string {
  return `snapshots/${id}`
}
