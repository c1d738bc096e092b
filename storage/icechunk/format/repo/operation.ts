import type { SnapshotId } from '../../types.ts'

/** What an operation did. The numbers are those of the format. */
export const operationKinds = {
  1: 'repository_created',
  2: 'repository_migrated',
  3: 'config_changed',
  4: 'metadata_changed',
  5: 'tag_created',
  6: 'tag_deleted',
  7: 'branch_created',
  8: 'branch_deleted',
  9: 'branch_reset',
  10: 'commit',
  11: 'commit_amended',
  12: 'detached_snapshot',
  13: 'garbage_collection',
  14: 'expiration',
  15: 'feature_flag_changed',
  16: 'status_changed',
} as const

/** `unknown` is one that a later version of the format has added. */
export type OperationKind = (typeof operationKinds)[keyof typeof operationKinds] | 'unknown'

/** Whether a repository accepts changes. `unknown` is a number that a later version of the format has added. */
export type RepositoryStatus = {
  readonly availability: 'online' | 'read_only' | 'offline' | 'unknown'
  readonly since: Date
  /** Why it is not online, as somebody wrote it. */
  readonly reason: string | null
}

/** One line of the operations log. Members that its kind does not have are null. */
export type Operation = {
  readonly kind: OperationKind
  /** Microseconds since 1970-01-01 UTC. It grows from operation to operation. */
  readonly time: bigint
  readonly branch: string | null
  readonly tag: string | null
  /** What a commit has made. */
  readonly snapshotId: SnapshotId | null
  /** What the branch or tag pointed to before; of an amended commit, the one that it replaces. */
  readonly previousSnapshotId: SnapshotId | null
  /** See `readAuthorId`. Null unless the operation is a commit whose snapshot is still listed. */
  readonly authorId: string | null
  readonly featureFlag: FlagChange | null
  readonly status: RepositoryStatus | null
  /** Versions of the format before and after a migration. */
  readonly migration: { readonly from: number; readonly to: number } | null
}

/** `isEnabled` is null when the flag goes back to its default. */
type FlagChange = { readonly id: number; readonly isEnabled: boolean | null }

/** A feature that a repository allows or not. */
export type FeatureFlag = {
  readonly id: number
  /** Null for one that a later version of the format has added. */
  readonly name: string | null
  readonly isEnabled: boolean
}
