import type { StoredFile } from './format/envelope.ts'
import type { Commit, SnapshotId } from './types.ts'

export type WalkOptions = {
  /** Maximum number of commits or logs to list, at least 1. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** Which part of a history to read. The reader's limit `maxHistory` applies in addition to `limit`. */
export type HistoryOptions = WalkOptions & {
  readonly before?: SnapshotId | undefined
  readonly until?: SnapshotId | undefined
  /** Caches the commits of version 1 between calls. Default: each call reads them again. */
  readonly memory?: CommitMemory | undefined
}

/** Cached commits of one version 1 repository. */
export type CommitMemory = {
  has(id: SnapshotId): boolean
  /** Returns a cached commit, or calls `read` and caches its result. Throws the errors of `read`, and the reason of the signal. */
  read(id: SnapshotId, signal: AbortSignal, read: (signal: AbortSignal) => Promise<Commit>): Promise<Commit>
}

/** A part of a history: a commit and its ancestors, newest first. */
export type History = {
  readonly commits: readonly Commit[]
  /**
   * The `before` of the next part; null when there is none. A part has fewer commits than `limit` when they take more memory than the
   * reader's limit `maxHistoryBytes`.
   */
  readonly next: SnapshotId | null
  /** Whether the history contains `until`. Null without `until`, and in version 1 until a part reaches `until` or the end. */
  readonly untilFound: boolean | null
  /** The parent of the last commit if its object no longer exists (version 1 only): the history ends there. Null otherwise. */
  readonly missing: SnapshotId | null
}

/** The commits between two heads of a branch. */
export type CommitsSince =
  | { readonly kind: 'commits'; readonly commits: readonly Commit[] }
  | { readonly kind: 'too-many' }
  /** The branch was reset, or the old head expired. */
  | { readonly kind: 'not-an-ancestor' }

/** The transaction logs of the commits after one snapshot up to another. */
export type LogRange =
  | { readonly kind: 'logs'; readonly ids: readonly SnapshotId[] }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'not-an-ancestor' }

/** These logs as stored. Plain data, because it is sent to a thread. */
export type LogFiles =
  | { readonly kind: 'logs'; readonly files: readonly StoredFile[] }
  | { readonly kind: 'not-an-ancestor' }
  /** At least one log does not exist, although its commit does. */
  | { readonly kind: 'missing' }
