import type { CommitMetadata, FormatVersion, SnapshotId } from '../types.ts'
import type { NodeList } from './node-list.ts'

/** A commit with its nodes. The first snapshot of a new repository has no nodes, not even a root group. */
export type Snapshot = {
  readonly id: SnapshotId
  /** Format version of this file. It may be lower than that of its repository. */
  readonly formatVersion: FormatVersion
  /** See {@link Commit.writtenAt}. */
  readonly writtenAt: Date
  readonly message: string
  readonly metadata: CommitMetadata
  /**
   * The parent named in this file. Always null in a version 2 file, because version 2 keeps parents in the `repo` object.
   * In a version 1 file this is the only part that can change: expiration rewrites it, and it becomes outdated once the
   * repository is migrated.
   */
  readonly parentIdInFile: SnapshotId | null
  readonly nodes: NodeList
}
