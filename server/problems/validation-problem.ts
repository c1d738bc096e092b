// Where a request breaks the contract, each place as a JSON pointer.
import type { ProblemError } from '@floe/contract'
import type { RequestValidationError } from '@ts-rest/fastify'
import type { z } from 'zod'
import { jsonPointer } from './json-pointer.ts'
import { RequestProblem } from './request-problem.ts'

/** The problem that answers a request which its route's schemas refuse. */
export function validationProblem(cause: RequestValidationError): RequestProblem {
  const places = { path: cause.pathParams, query: cause.query, headers: cause.headers, body: cause.body }
  const errors = Object.entries(places).flatMap(([place, found]) =>
    // The contract is written in zod alone, whose issues say more than ts-rest's type for those of any library.
    ((found?.issues ?? []) as z.core.$ZodIssue[]).flatMap((issue) => errorsOf(issue, [place])),
  )
  return invalidRequest(errors, cause)
}

/** So many wrong places stand in the detail of a problem; `errors` has all of them. */
const maxDetailed = 5

/** The problem of a request that is wrong at these places. */
export function invalidRequest(errors: readonly ProblemError[], cause?: unknown): RequestProblem {
  const shown = errors.slice(0, maxDetailed).map(({ pointer, message }) => `${placeName(pointer)}: ${message}`)
  const more = errors.length - shown.length
  const detail = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
  return new RequestProblem('invalid-request', detail, { errors, cause })
}

/** How people call a place: `/body/events/0` is `events.0`, `/query/limit` is `limit`, `/body` is `body`. */
function placeName(pointer: string): string {
  const segments = pointer.slice(1).split('/')
  const names = segments.length > 1 ? segments.slice(1) : segments
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}

function errorsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): ProblemError[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: jsonPointer([...path, key]), message: 'is not known' }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const alternatives = issue.errors.map((issues) => issues.flatMap((issue) => errorsOf(issue, path)))
    return alternatives.reduce((nearest, other) => (other.length <= nearest.length ? other : nearest))
  }
  return [{ pointer: jsonPointer(path), message: issue.message }]
}
