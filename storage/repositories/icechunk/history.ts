import type { StoredFile } from './format/envelope.ts'
import type { Commit, SnapshotId } from './types.ts'

export type WalkOptions = {
  /** Maximum number of commits or logs to list, at least 1. */
  readonly limit: number
  readonly signal: AbortSignal
}

/**
 * Which part of a history to read. The reader's limits `maxHistory` and `maxHistoryV1` apply in addition to `limit`.
 */
export type HistoryOptions = WalkOptions & {
  /** Begin after this commit, with its parent. Default: begin with the head. */
  readonly before?: SnapshotId | undefined
  /** End before this commit. Default: end with the first commit. */
  readonly until?: SnapshotId | undefined
  /** End before the first commit that was written before this time, in microseconds since 1970-01-01 UTC. */
  readonly since?: bigint | undefined
  /** Caches the commits of version 1 between calls. Default: each call reads them again. */
  readonly cached?: CachedCommits | undefined
}

/** How to search a history. */
export type SearchOptions = Pick<HistoryOptions, 'cached' | 'signal'>

/** The last commit of a history at or before a time. */
export type CommitAtTime =
  | { readonly kind: 'found'; readonly snapshotId: SnapshotId }
  /** The whole history is later. `firstWrittenAt` is the time of its first commit. */
  | { readonly kind: 'too-early'; readonly firstWrittenAt: Date }

/** Cached commits of one version 1 repository. */
export type CachedCommits = {
  has(id: SnapshotId): boolean
  /** Returns a cached commit, or caches the result of `read`. Throws its errors and the reason of the signal. */
  read(id: SnapshotId, signal: AbortSignal, read: (signal: AbortSignal) => Promise<Commit>): Promise<Commit>
}

/** A part of a history: a commit and its ancestors, newest first. */
export type History = {
  readonly commits: readonly Commit[]
  /**
   * The `before` of the next part; null when there is none. A part has fewer commits than `limit` when they take more
   * memory than the reader's limit `maxHistoryBytes`.
   */
  readonly next: SnapshotId | null
  /**
   * Whether the history contains `until`. Null without `until`, if the part ends at `since`, and in version 1 while
   * that is unknown.
   */
  readonly untilFound: boolean | null
  /**
   * Version 1 only: the parent of the last commit, if its object is gone and the history ends there. Otherwise null.
   */
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

/** The stored bytes of these logs. Plain data, because it is sent to a thread. */
export type LogFiles =
  | { readonly kind: 'logs'; readonly files: readonly StoredFile[] }
  | { readonly kind: 'not-an-ancestor' }
  /** At least one log does not exist, although its commit does. */
  | { readonly kind: 'missing' }
