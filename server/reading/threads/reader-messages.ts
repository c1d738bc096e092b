// Messages between the main thread and a reader thread: plain data only.
import type { ProblemCode } from '@floe/contract'
import type { LogFiles, ReaderLimits, SnapshotId, StoredFile } from '@floe/storage/icechunk'
import type { LocalPlace } from '@floe/storage/objects'
import type { AnyAnswer, Question } from '../question.ts'

/** Settings that a thread is started with. */
export type ReaderSettings = {
  /** Memory for cached snapshots, in bytes. */
  readonly cacheBytes: number
  /** Each task carries the current limits, because limits can change. */
  readonly limits: ReaderLimits
}

/** The object of a snapshot, or the local directory in which the thread can read it. */
export type SnapshotFile = { readonly id: SnapshotId; readonly file: StoredFile | LocalPlace }

/** A question about a snapshot. */
export type ReaderTask = {
  /** See {@link Repository.number}. */
  readonly repository: number
  readonly id: SnapshotId
  readonly question: Question
  /** The objects of the snapshots that the question is about; empty to try the snapshots that the thread has cached. */
  readonly files: readonly SnapshotFile[]
  /** The logs between two snapshots; undefined for a question about one. */
  readonly logs: LogFiles | undefined
  readonly limits: ReaderLimits
  /** Memory of the `SharedSignal` that cancels the task. */
  readonly cancellation: SharedArrayBuffer
}

/** The answer of a thread: a body, or why there is none. */
export type ReaderReply =
  | AnyAnswer
  /** A snapshot is neither cached nor in the task, or cannot be read. */
  | { readonly state: 'needs-files' }
  | { readonly state: 'refused'; readonly code: ProblemCode; readonly detail: string }
