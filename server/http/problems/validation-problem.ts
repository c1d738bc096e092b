// Describes where a request breaks the contract. Each place is a JSON pointer.
import type { ProblemError } from '@floe/contract'
import type { z } from 'zod'
import type { ContractViolationError } from '../contract.ts'
import { readPointerSegment, writeJsonPointer } from './json-pointer.ts'
import { RequestProblem } from './request-problem.ts'

/** Turns the violations of a contract into the problem that answers the request. */
export function toValidationProblem(cause: ContractViolationError): RequestProblem {
  const errors = cause.violations.flatMap(({ part, issue }) => listErrors(issue, [part]))
  return explainInvalidRequest(errors, cause)
}

/** Describes a value that a schema refuses. `part` says what the value is, such as `body`. */
export function explainRefusedValue(cause: z.ZodError, part: string): RequestProblem {
  return explainInvalidRequest(
    cause.issues.flatMap((issue) => listErrors(issue, [part])),
    cause,
  )
}

/** The detail of a problem names this many wrong places; `errors` has all of them. */
const maxDetailed = 5

export function explainInvalidRequest(errors: readonly ProblemError[], cause?: unknown): RequestProblem {
  const shown = errors.slice(0, maxDetailed).map(({ pointer, message }) => `${namePlace(pointer)}: ${message}`)
  const more = errors.length - shown.length
  const detail = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
  return new RequestProblem('invalid-request', detail, { errors, cause })
}

/** Names a place for people: `/body/events/0` becomes `events.0`, `/query/limit` becomes `limit`, `/body` stays `body`. */
function namePlace(pointer: string): string {
  const segments = pointer.slice(1).split('/')
  const names = segments.length > 1 ? segments.slice(1) : segments
  return names.map(readPointerSegment).join('.')
}

function listErrors(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): ProblemError[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: writeJsonPointer([...path, key]), message: 'is not known' }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const alternatives = issue.errors.map((issues) => issues.flatMap((issue) => listErrors(issue, path)))
    return alternatives.reduce((nearest, other) => (other.length <= nearest.length ? other : nearest))
  }
  return [{ pointer: writeJsonPointer(path), message: issue.message }]
}
