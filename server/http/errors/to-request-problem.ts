// Maps errors to problems of the contract.
import { AliasInUseError, explainUnavailable, RecordProblem } from '@floe/storage/database'
import { KeyFileError } from '@floe/storage/secrets'
import { InvalidRequestError } from '../contract.ts'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { explainMalformedAddress } from './malformed-request.ts'
import { explainInvalidRequest, explainViolations } from '../../problems/validation-problem.ts'

/**
 * Turns an error into the problem that answers it. An unexpected error becomes `internal`.
 *
 * @param maxBodyBytes longest body of the route
 */
export function toRequestProblem(error: unknown, maxBodyBytes = 65_536): RequestProblem {
  if (error instanceof InvalidRequestError) return explainViolations(error.violations, error)
  if (error instanceof Error)
    return (
      toReadingProblem(error) ??
      toChangeProblem(error) ??
      toFrameworkProblem(error, maxBodyBytes) ??
      toDatabaseProblem(error) ??
      toInternalProblem(error)
    )
  return toInternalProblem(error)
}

function toChangeProblem(cause: Error): RequestProblem | undefined {
  if (cause instanceof RecordProblem) return new RequestProblem(cause.code, cause.message, { cause })
  if (cause instanceof KeyFileError) {
    const detail = 'The key that encrypts secrets cannot be read, so no secret can be saved; the log says why'
    return new RequestProblem('unavailable', detail, { cause })
  }
  if (cause instanceof AliasInUseError) {
    return new RequestProblem('alias-in-use', cause.message, {
      errors: [{ pointer: '/body/alias', message: 'is in use' }],
      cause,
    })
  }
  return undefined
}

/**
 * Fastify's own errors carry a status: a bad percent escape, a parameter that is too long, a body that is too large.
 */
function toFrameworkProblem(
  cause: Error & { readonly statusCode?: unknown; readonly code?: unknown },
  maxBodyBytes: number,
): RequestProblem | undefined {
  const { statusCode, code } = cause
  if (code === 'FST_ERR_BAD_URL') return explainMalformedAddress(cause)
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return explainInvalidRequest([{ pointer: '/body', message: 'must be JSON' }], cause)
  if (statusCode === 414) return new RequestProblem('uri-too-long', 'A segment of the address is too long', { cause })
  if (statusCode === 413)
    return new RequestProblem('body-too-large', `The body is longer than ${maxBodyBytes / 1_024} KiB`, { cause })
  if (statusCode === 415)
    return new RequestProblem('unsupported-media-type', 'The body has a media type that is not taken here', { cause })
  if (statusCode === 404) return new RequestProblem('route-not-found', 'Nothing is served at this address', { cause })
  if (statusCode === 503) return new RequestProblem('unavailable', 'The service cannot take the request now', { cause })
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined
  return new RequestProblem('invalid-request', cause.message, { cause })
}

function toDatabaseProblem(cause: Error): RequestProblem | undefined {
  const explanation = explainUnavailable(cause)
  return explanation === undefined ? undefined : new RequestProblem('unavailable', explanation, { cause })
}

function toInternalProblem(cause: unknown): RequestProblem {
  const detail = 'The service failed to answer; its log has the reason'
  return new RequestProblem('internal', detail, { cause })
}
