import { type Problem, problemDefinitions, problemType } from '@floe/contract'
import type { RequestProblem } from './request-problem.ts'

/** A refusal as the contract's body; `instance` is the UUID under which the log has it. */
export function toProblem({ code, message, errors }: RequestProblem, instance: string): Problem {
  const { status, title } = problemDefinitions[code]
  return {
    type: problemType(code),
    title,
    status,
    detail: message,
    instance: `urn:uuid:${instance}`,
    ...(errors.length > 0 && { errors: [...errors] }),
  }
}
