// Problems of reading a repository. Reader threads load this file, so it imports as little as possible.
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
  maxRefs: 'limits.maxRefs',
  maxRangeCommits: 'limits.maxDiffCommits',
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

/** Returns the problem for an error of reading a repository; undefined for other errors. */
export function toReadingProblem(cause: unknown): RequestProblem | undefined {
  if (cause instanceof RequestProblem) return cause
  if (cause instanceof RefNotFoundError) return new RequestProblem('ref-not-found', cause.message, { cause })
  if (cause instanceof NotInHistoryError) return new RequestProblem('commit-not-found', cause.message, { cause })
  if (cause instanceof DamagedObjectError) return new RequestProblem('damaged-repository', cause.message, { cause })
  if (cause instanceof LimitExceededError) {
    return new RequestProblem('repository-too-large', explainExcess(cause), { cause })
  }
  if (cause instanceof TimeTooFarError) return new RequestProblem('repository-too-large', cause.message, { cause })
  if (cause instanceof RangeTooLongError) return new RequestProblem('range-too-long', explainExcess(cause), { cause })
  if (cause instanceof MissingObjectError) return new RequestProblem('snapshot-gone', cause.message, { cause })
  if (cause instanceof UnsupportedFormatError) return new RequestProblem('unsupported-format', cause.message, { cause })
  if (cause instanceof NotARepositoryError)
    return new RequestProblem('not-a-repository', 'The configured location holds no Icechunk repository', { cause })
  if (cause instanceof DocumentsTooLargeError || cause instanceof AnswerTooLargeError)
    return new RequestProblem('repository-too-large', cause.message, { cause })
  if (cause instanceof CannotDecodeError || cause instanceof ZarrDocumentError)
    return new RequestProblem('not-a-dataset', cause.message, { cause })
  if (isOutOfTime(cause)) {
    const fault = `all reads together took longer than ${readingTimeoutMs / 1_000} s`
    return new RequestProblem('store-timeout', fault, { cause })
  }
  if (cause instanceof ObjectStoreTimeoutError) return new RequestProblem('store-timeout', cause.fault, { cause })
  if (cause instanceof TooManyObjectsError) return new RequestProblem('too-many-repositories', cause.fault, { cause })
  if (cause instanceof ObjectStoreError) return new RequestProblem('store-failed', cause.fault, { cause })
  return undefined
}

function explainExcess({ message, limit, value }: LimitExceededError | RangeTooLongError): string {
  const setting = settings[limit]
  return setting === undefined
    ? `${message}; this limit is fixed`
    : `${message}; to allow more, raise ${setting} above ${value}`
}
