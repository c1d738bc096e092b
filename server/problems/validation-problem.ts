// Problems for requests that break the contract. JSON pointers say where.
import type { ProblemError } from '@floe/contract'
import type { z } from 'zod'
import { listFirst } from '../text/list-first.ts'
import { readPointerSegment, writeJsonPointer } from './json-pointer.ts'
import { explainUnknownMembers } from './plain-messages.ts'
import { RequestProblem } from './request-problem.ts'

/** An issue of a schema, and the part of the request that it is about: `path`, `query`, `headers` or `body`. */
export type Violation = { readonly part: string; readonly issue: z.core.$ZodIssue }

/** Makes the problem for violations of the contract. `cause` is the error that reported them. */
export function explainViolations(violations: readonly Violation[], cause: Error): RequestProblem {
  const errors: ProblemError[] = []
  for (const { part, issue } of violations) {
    if (errors.length >= maxErrors) break
    errors.push(...listErrors(issue, [part]))
  }
  return explainInvalidRequest(errors.slice(0, maxErrors), cause)
}

/**
 * Makes the problem for a value that a schema refuses. `part` says what the value is, such as `body`, or what it is in,
 * at `path`.
 */
export function explainRefusedValue(cause: z.ZodError, part: string, path: readonly string[] = []): RequestProblem {
  return explainViolations(
    cause.issues.map((issue) => ({ part, issue: { ...issue, path: [...path, ...issue.path] } })),
    cause,
  )
}

/** Maximum number of wrong values that a problem lists. */
const maxErrors = 1_000

/** The same in its `detail`. */
const maxDetailed = 5

export function explainInvalidRequest(errors: readonly ProblemError[], cause?: unknown): RequestProblem {
  const lines = errors.map(({ pointer, message }) => `${nameValue(pointer)}: ${message}`)
  const detail = listFirst(lines, maxDetailed).join('; ')
  return new RequestProblem('invalid-request', detail, { errors, cause })
}

/**
 * Names a value for people: `/body/events/0` becomes `events.0`, `/query/limit` becomes `limit`, `/body` stays `body`.
 */
function nameValue(pointer: string): string {
  const segments = pointer.slice(1).split('/')
  const names = segments.length > 1 ? segments.slice(1) : segments
  return names.map(readPointerSegment).join('.')
}

/** @param parentPath the path to the value that the issue's own path starts from */
function listErrors(issue: z.core.$ZodIssue, parentPath: readonly PropertyKey[]): ProblemError[] {
  const path = [...parentPath, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return explainUnknownMembers(issue)
      .slice(0, maxErrors)
      .map(({ key, message }) => ({ pointer: writeJsonPointer([...path, key]), message }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const alternatives = issue.errors.map((issues) => issues.flatMap((issue) => listErrors(issue, path)))
    // The alternative with the fewest errors is probably the one that was meant.
    return alternatives.reduce((nearest, errors) => (errors.length <= nearest.length ? errors : nearest))
  }
  // The name of a member of a record is wrong.
  if (issue.code === 'invalid_key')
    return issue.issues.map(({ message }) => ({ pointer: writeJsonPointer(path), message }))
  return [{ pointer: writeJsonPointer(path), message: issue.message }]
}
