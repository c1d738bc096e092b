import { type Problem, problemDefinitions, formatProblemType } from '@floe/contract'
import type { RequestProblem } from './request-problem.ts'

/** The body that answers a problem. `instance` is a UUID; the log has the same one. */
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
