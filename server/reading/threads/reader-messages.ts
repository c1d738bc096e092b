// Messages between the main thread and a reader thread: plain data only.
import type { ProblemCode, ProblemError } from '@floe/contract'
import type { AskedFiles, LogFiles, ManifestId, ReaderLimits, SnapshotId, StoredFile } from '@floe/storage/icechunk'
import type { LocalDirectory } from '@floe/storage/objects'
import type { IndexTask } from '../../search/answer-search.ts'
import type { EncodedManifest } from '../manifests/encoded-manifest.ts'
import type { AttachedManifests } from '../manifests/question-manifests.ts'
import type { AnyAnswer, Question } from '../questions/question.ts'

/** Settings that a thread is started with. */
export type ReaderSettings = {
  /** Memory for cached snapshots, in bytes. */
  readonly cacheBytes: number
  /** Each task carries the current limits, because limits can change. */
  readonly limits: ReaderLimits
}

/** The object of a snapshot, or the local directory in which the thread can read it. */
export type SnapshotFile = { readonly id: SnapshotId; readonly file: StoredFile | LocalDirectory }

/** A question about a snapshot, and what a thread needs to answer it. */
export type ReaderTask = {
  readonly kind: 'question'
  /** See {@link Repository.serial}. */
  readonly repository: number
  readonly id: SnapshotId
  readonly question: Question
  /** The snapshots that the thread probably lacks. It replies `needs-files` if it lacks others. */
  readonly files: readonly SnapshotFile[]
  /** The logs between two snapshots; undefined for a question about one. */
  readonly logs: LogFiles | undefined
  /** The manifests that the thread needs, as far as is known. It replies `needs-manifests` if it needs others. */
  readonly manifests: AttachedManifests
  readonly limits: ReaderLimits
}

/** The part of the task that does not depend on the thread. */
export type SnapshotQuestion = Pick<ReaderTask, 'id' | 'question' | 'logs' | 'manifests'>

/** The object of a manifest. */
export type ManifestTask = {
  readonly kind: 'manifest'
  readonly id: ManifestId
  readonly file: StoredFile
  /** The files of virtual chunks that are listed too. */
  readonly files: AskedFiles | undefined
  readonly limits: ReaderLimits
}

/** A body with a contract, and what a thread needs to check it. */
export type ContractTask = {
  readonly kind: 'contract'
  readonly body: Uint8Array<ArrayBuffer>
  /** The member that has the contract; undefined if the body is one. */
  readonly member: string | undefined
}

export type Task = ReaderTask | ManifestTask | ContractTask | IndexTask

/** A task as it is sent, with the memory of the `SharedSignal` that cancels it. */
export type Sent<Of extends Task> = Of & { readonly cancellation: SharedArrayBuffer }

/** The problem of a task without an answer. */
type Refusal = {
  readonly state: 'refused'
  readonly code: ProblemCode
  readonly detail: string
  readonly errors: readonly ProblemError[]
}

/** The manifests that a question needs. */
export type NeedsManifests = {
  readonly state: 'needs-manifests'
  readonly ids: readonly ManifestId[]
  /** Whether there is an answer, which says less, without the manifests that the store does not return now. */
  readonly areBeside: boolean
}

/** A thread's reply: the body, or why it has none. */
export type ReaderReply =
  | AnyAnswer
  /** A snapshot is neither cached nor in the task, or the thread cannot read it. */
  | { readonly state: 'needs-files' }
  | NeedsManifests
  | Refusal

/** A thread's reply to the object of a manifest. */
export type ManifestReply = { readonly state: 'decoded'; readonly manifest: EncodedManifest } | Refusal

/** A thread's reply to a body: the body with the document of the contract in its place, or what is wrong with it. */
export type ContractReply = { readonly state: 'checked'; readonly body: unknown } | Refusal

/** A thread's reply to a search: the body, or why the database has no answer now. */
export type IndexReply = Buffer<ArrayBuffer> | Refusal

/** What a thread replies to each kind of task. */
export type Replies = {
  readonly question: ReaderReply
  readonly manifest: ManifestReply
  readonly contract: ContractReply
  readonly search: IndexReply
}
