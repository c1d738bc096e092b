import type { Commit } from './types.ts'

/** How far to walk back. */
export type HistoryOptions = {
  /** Most commits to return. The reader's limit `maxHistory` applies as well. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** A commit and its ancestors, newest first. */
export type History = {
  readonly commits: readonly Commit[]
  /**
   * Whether the history goes back to a snapshot without a parent. If false, the walk stopped at the limit. If false
   * with fewer commits than the limit, the object of the next parent no longer exists (version 1 only).
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
