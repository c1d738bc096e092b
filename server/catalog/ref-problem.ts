import type { RefNotFoundError } from '@floe/storage/icechunk'
import { RequestProblem } from '../problems/request-problem.ts'

/** Hint for an unknown ref: text appended to the message, and the path that lists all refs. */
export type RefHelp = { readonly hint: string; readonly see: string }

/** Makes the problem for an unknown ref, which names the repository. `cause` does not know its name. */
export function makeRefProblem(repo: string, cause: RefNotFoundError, help?: RefHelp): RequestProblem {
  const { hint = '', ...more } = help ?? {}
  return new RequestProblem('ref-not-found', `${repo} has ${cause.fault}${hint}`, { ...more, cause })
}
