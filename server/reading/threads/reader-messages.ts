// What the main thread and a reader thread send each other. Plain data only.
import type { ProblemCode } from '@floe/contract'
import type { LogFiles, ReaderLimits, SnapshotId, StoredFile } from '@floe/storage/icechunk'
import type { AnyAnswer, Question } from '../question.ts'

/** How a thread works, which it is started with. */
export type ReaderSettings = {
  /** Memory for the snapshots that the thread keeps, in bytes. */
  readonly cacheBytes: number
  /** They may change; each task brings those of its time. */
  readonly limits: ReaderLimits
}

/** The object of a snapshot. */
export type SnapshotFile = { readonly id: SnapshotId; readonly file: StoredFile }

/** A question about a snapshot. */
export type ReaderTask = {
  /** See {@link Repository.number}. */
  readonly repository: number
  readonly id: SnapshotId
  readonly question: Question
  /** The objects of the snapshots that the question is about; empty to ask whether the thread still has the snapshots. */
  readonly files: readonly SnapshotFile[]
  /** What a question about two snapshots needs besides them. */
  readonly logs: LogFiles | undefined
  readonly limits: ReaderLimits
  /** Memory of the `SharedSignal` that aborts when the last caller has left. */
  readonly cancellation: SharedArrayBuffer
}

/** What a thread answers: a body, or why there is none. */
export type ReaderReply =
  | AnyAnswer
  /** The thread does not have a snapshot, and the task did not bring it. */
  | { readonly state: 'needs-files' }
  | { readonly state: 'refused'; readonly code: ProblemCode; readonly detail: string }
