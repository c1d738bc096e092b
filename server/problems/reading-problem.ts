// Problems of reading a repository. Reader threads load this file, so it imports as little as possible.
import type { ProblemCode } from '@floe/contract/constants'
import {
  DamagedObjectError,
  LimitExceededError,
  MissingObjectError,
  NotARepositoryError,
  NotInHistoryError,
  RangeTooLongError,
  type ReaderLimits,
  RefNotFoundError,
  TimeTooFarError,
  UnsupportedFormatError,
} from '@floe/storage/icechunk'
import { AnswerTooLargeError, DocumentsTooLargeError } from '@floe/storage/json'
import { ObjectStoreError, ObjectStoreTimeoutError, TooManyObjectsError } from '@floe/storage/objects'
import { ZarrDocumentError } from '@floe/storage/zarr'
import { CannotDecodeError } from '../xarray/variable.ts'
import { RequestProblem } from './request-problem.ts'

/** The setting of the configuration for each limit of the reader that has one. */
const settings: Partial<Record<keyof ReaderLimits, string>> = {
  maxObjectBytes: 'limits.maxObjectBytes',
  maxInflatedBytes: 'limits.maxSnapshotBytes',
  maxNodes: 'limits.maxNodes',
}

/** How long the reads for one answer may take together, in milliseconds. */
export const readingTimeoutMs = 30_000

/** Whether all reads took too long together. */
function isOutOfTime(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError' // the reason of `AbortSignal.timeout`
}

/** Problems of the service or the store, which may be gone at the next try. */
export const passingProblems: ReadonlySet<string> = new Set(['unavailable', 'store-failed', 'store-timeout'])

/**
 * All problems that may be gone at the next try. A missing snapshot can still be copied, but usually it has expired.
 * Others follow from the snapshot, which never changes.
 */
export const temporaryProblems: ReadonlySet<string> = new Set([...passingProblems, 'snapshot-gone'])

/** The problems of errors. Only the base class of others stands after them. */
const codes: readonly (readonly [type: new (...args: never) => Error, code: ProblemCode])[] = [
  [RefNotFoundError, 'ref-not-found'],
  [NotInHistoryError, 'commit-not-found'],
  [DamagedObjectError, 'damaged-repository'],
  [LimitExceededError, 'repository-too-large'],
  [TimeTooFarError, 'repository-too-large'],
  [DocumentsTooLargeError, 'repository-too-large'],
  [AnswerTooLargeError, 'repository-too-large'],
  [RangeTooLongError, 'range-too-long'],
  [MissingObjectError, 'snapshot-gone'],
  [UnsupportedFormatError, 'unsupported-format'],
  [NotARepositoryError, 'not-a-repository'],
  [CannotDecodeError, 'not-a-dataset'],
  [ZarrDocumentError, 'not-a-dataset'],
  [ObjectStoreTimeoutError, 'store-timeout'],
  [TooManyObjectsError, 'too-many-repositories'],
  [ObjectStoreError, 'store-failed'],
]

/** Returns the problem for an error of reading a repository; undefined for other errors. */
export function toReadingProblem(cause: unknown): RequestProblem | undefined {
  if (cause instanceof RequestProblem) return cause
  if (isOutOfTime(cause)) {
    const fault = `all reads together took longer than ${readingTimeoutMs / 1_000} s`
    return new RequestProblem('store-timeout', fault, { cause })
  }
  const [, code] = codes.find(([type]) => cause instanceof type) ?? []
  return code && cause instanceof Error ? new RequestProblem(code, explain(cause), { cause }) : undefined
}

/** Says what happened, without the location, which not all readers may see. */
function explain(cause: Error): string {
  if (cause instanceof NotARepositoryError) return 'The configured location holds no Icechunk repository'
  if (cause instanceof LimitExceededError || cause instanceof RangeTooLongError) return explainExcess(cause)
  return cause instanceof ObjectStoreError ? cause.fault : cause.message
}

function explainExcess({ message, limit, value }: LimitExceededError | RangeTooLongError): string {
  const setting = settings[limit]
  return setting === undefined
    ? `${message}; this limit is fixed`
    : `${message}; to allow more, raise ${setting} above ${value}`
}
