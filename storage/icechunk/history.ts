import type { Commit } from './types.ts'

/** How far to walk back. */
export type HistoryOptions = {
  /** Commits to give at most; never more than `maxHistory` of the reader's limits. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** Commits from one snapshot back, newest first. */
export type History = {
  readonly commits: readonly Commit[]
  /**
   * Whether the walk ended at a snapshot without parent. Otherwise it met the limit or, when there are fewer commits
   * than that, a parent whose object does not exist any more (version 1 only).
   */
  readonly complete: boolean
}

/** The commits between two heads of a branch. */
export type CommitsSince =
  /** Oldest first; the last one is the new head. */
  | { readonly kind: 'commits'; readonly commits: readonly Commit[] }
  | { readonly kind: 'too-many' }
  /** The branch was reset, or the old head expired. */
  | { readonly kind: 'not-an-ancestor' }
