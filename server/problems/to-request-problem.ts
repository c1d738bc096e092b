// The one table from what can go wrong inside to what the contract says about it.
import {
  DamagedObjectError,
  MissingObjectError,
  NotARepositoryError,
  RefNotFoundError,
  UnsupportedFormatError,
} from '@floe/storage/icechunk'
import { ObjectStoreError, ObjectStoreTimeoutError } from '@floe/storage/objects'
import { ZarrDocumentError } from '@floe/storage/zarr'
import { RequestValidationError } from '@ts-rest/fastify'
import { CannotDecodeError } from '../metadata/xarray/variable.ts'
import { RequestProblem } from './request-problem.ts'

/** The problem that answers an error; `internal` for whatever is not foreseen. */
export function toRequestProblem(error: unknown): RequestProblem {
  if (error instanceof RequestProblem) return error
  if (error instanceof RequestValidationError) return validationProblem(error)
  if (error instanceof Error) return readingProblem(error) ?? frameworkProblem(error) ?? internalProblem(error)
  return internalProblem(error)
}

function readingProblem(cause: Error): RequestProblem | undefined {
  if (cause instanceof RefNotFoundError) return new RequestProblem('ref-not-found', cause.message, { cause })
  if (cause instanceof DamagedObjectError) return new RequestProblem('damaged-repository', cause.message, { cause })
  if (cause instanceof MissingObjectError) return new RequestProblem('snapshot-gone', cause.message, { cause })
  if (cause instanceof UnsupportedFormatError) return new RequestProblem('unsupported-format', cause.message, { cause })
  if (cause instanceof NotARepositoryError) return new RequestProblem('not-a-repository', cause.message, { cause })
  if (cause instanceof CannotDecodeError || cause instanceof ZarrDocumentError)
    return new RequestProblem('not-a-dataset', cause.message, { cause })
  if (cause instanceof ObjectStoreTimeoutError) return new RequestProblem('store-timeout', cause.message, { cause })
  if (cause instanceof ObjectStoreError) return new RequestProblem('store-failed', cause.message, { cause })
  return undefined
}

function validationProblem(cause: RequestValidationError): RequestProblem {
  const places = { path: cause.pathParams, query: cause.query, headers: cause.headers, body: cause.body }
  const errors = Object.entries(places).flatMap(([place, found]) =>
    (found?.issues ?? []).map(({ path = [], message }) => ({
      pointer: ['', place, ...path.map(pointerSegment)].join('/'),
      message,
    })),
  )
  return new RequestProblem(
    'invalid-request',
    errors.map(({ pointer, message }) => `${pointer}: ${message}`).join('; '),
    { errors, cause },
  )
}

function pointerSegment(segment: unknown): string {
  const key = typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Fastify's own refusals carry a status: a bad percent escape, a parameter beyond the length limit, a malformed body. */
function frameworkProblem(cause: Error & { readonly statusCode?: unknown }): RequestProblem | undefined {
  const { statusCode } = cause
  if (statusCode === 414) return new RequestProblem('uri-too-long', 'A segment of the address is too long', { cause })
  if (statusCode === 404) return new RequestProblem('route-not-found', 'Nothing is served at this address', { cause })
  if (statusCode === 503) return new RequestProblem('unavailable', 'The service cannot take the request now', { cause })
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined
  return new RequestProblem('invalid-request', cause.message, { cause })
}

function internalProblem(cause: unknown): RequestProblem {
  return new RequestProblem('internal', 'The service failed to answer; its log has the reason', { cause })
}
