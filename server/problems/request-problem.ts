import type { Problem, ProblemError } from '@floe/contract'
import { formatProblemType, type ProblemCode, problemDefinitions } from '@floe/contract/constants'

/** An error with a problem code of the contract. Routes throw it, and the error handler answers with the problem. */
export class RequestProblem extends Error {
  override name = 'RequestProblem'
  readonly code: ProblemCode
  readonly errors: readonly ProblemError[]
  /** Headers of the answer, such as `www-authenticate`. */
  readonly headers: Readonly<Record<string, string>>
  /** Path of a list of the names that exist. */
  readonly see: string | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      errors?: readonly ProblemError[]
      headers?: Readonly<Record<string, string>>
      see?: string
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: options.cause })
    this.code = code
    this.errors = options.errors ?? []
    this.headers = options.headers ?? {}
    this.see = options.see
  }
}

/** Makes the body of a problem. `instance` is the id of the request (a UUID), which the log contains too. */
export function toProblem({ code, message, errors, see }: RequestProblem, instance: string): Problem {
  const { status, title } = problemDefinitions[code]
  return {
    type: formatProblemType(code),
    code,
    title,
    status,
    detail: message,
    instance: `urn:uuid:${instance}`,
    ...(errors.length > 0 && { errors: [...errors] }),
    ...(see !== undefined && { see }),
  }
}
