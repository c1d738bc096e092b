import { type Problem, problemDefinitions, formatProblemType } from '@floe/contract'
import type { RequestProblem } from './request-problem.ts'

/** Makes the body of a problem answer. `instance` is the id of the request, a UUID, which is in the lines of the log. */
export function toProblem({ code, message, errors }: RequestProblem, instance: string): Problem {
  const { status, title } = problemDefinitions[code]
  return {
    type: formatProblemType(code),
    title,
    status,
    detail: message,
    instance: `urn:uuid:${instance}`,
    ...(errors.length > 0 && { errors: [...errors] }),
  }
}
