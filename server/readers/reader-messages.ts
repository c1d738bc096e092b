// What the main thread and a reader thread send each other. Plain data only.
import type { ProblemCode } from '@floe/contract'
import type { ReaderLimits, SnapshotId, StoredFile } from '@floe/storage/icechunk'
import type { SnapshotQuestion } from '../snapshots/question.ts'

/** What a thread is started with. */
export type ReaderSettings = {
  /** Memory for the snapshots that the thread keeps, in bytes. */
  readonly cacheBytes: number
  readonly limits: ReaderLimits
}

/** A question about a snapshot. */
export type ReaderTask = {
  /** Number of the opened repository in this process. */
  readonly repository: number
  readonly id: SnapshotId
  readonly question: SnapshotQuestion
  /** The object of the snapshot; undefined to ask whether the thread still has the snapshot. */
  readonly file: StoredFile | undefined
}

/** What a thread answers: the bytes of a body, or why there is none. */
export type ReaderReply =
  | Uint8Array
  /** The thread does not have the snapshot, and the task did not bring it. */
  | { readonly state: 'needs-file' }
  | { readonly state: 'refused'; readonly code: ProblemCode; readonly detail: string }
