import {
  formatProblemType,
  type Problem,
  type ProblemCode,
  problemDefinitions,
  type ProblemError,
} from '@floe/contract'

/** An error with a problem code of the contract. Routes throw it, and the error handler answers it. */
export class RequestProblem extends Error {
  override name = 'RequestProblem'
  readonly code: ProblemCode
  readonly errors: readonly ProblemError[]
  /** Headers of the answer, such as `www-authenticate`. */
  readonly headers: Readonly<Record<string, string>>
  /** Path of a list with the right names. */
  readonly see: string | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: readonly ProblemError[]
      headers?: Readonly<Record<string, string>>
      see?: string
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: more.cause })
    this.code = code
    this.errors = more.errors ?? []
    this.headers = more.headers ?? {}
    this.see = more.see
  }
}

/** Makes the body of a problem answer. `instance` is the id of the request (a UUID), which the log holds too. */
export function toProblem({ code, message, errors, see }: RequestProblem, instance: string): Problem {
  const { status, title } = problemDefinitions[code]
  return {
    type: formatProblemType(code),
    title,
    status,
    detail: message,
    instance: `urn:uuid:${instance}`,
    ...(errors.length > 0 && { errors: [...errors] }),
    ...(see !== undefined && { see }),
  }
}
