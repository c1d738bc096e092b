// The errors of the clients. None contains the request, because it has the API key.
import { summarize } from './check-value.ts'
import { explainCause } from './requests/explain-cause.ts'
import type { Problem, ProblemCode, ProblemError, ProblemType } from './generated/types.ts'

/** Base class of the errors of requests. An aborted request rejects with the signal's reason instead. */
export abstract class FloeError extends Error {
  /** URL of the request, without credentials. */
  readonly url: string

  constructor(message: string, url: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.url = url
  }
}

/** No answer came, or it broke off; `cause` says why. */
export class NetworkError extends FloeError {
  override readonly name = 'NetworkError'

  constructor(url: string, cause: unknown) {
    super(`No answer from ${url}: ${explainCause(cause, url)}`, url, { cause })
  }
}

/** No complete answer came in time. */
export class TimeoutError extends FloeError {
  override readonly name = 'TimeoutError'
  /** The time limit of one request, in milliseconds. */
  readonly timeoutMs: number

  constructor(url: string, timeoutMs: number) {
    super(`No answer from ${url} within ${timeoutMs} ms`, url)
    this.timeoutMs = timeoutMs
  }
}

/** The service rejected the request and said why. */
export class ProblemResponseError extends FloeError {
  override readonly name = 'ProblemResponseError'
  /** The problem that the service answered. Its `code` tells problems apart. */
  readonly problem: Problem
  /**
   * What kind of problem it is, as `problem.code`. A later version of the service may send others, so that a
   * comparison with a misspelt code compiles: `is` does not.
   */
  readonly code: ProblemCode | (string & {})
  /** HTTP status of the answer. */
  readonly status: number
  /** How long to wait before the next request, in milliseconds; undefined when the answer does not say. */
  readonly retryAfterMs: number | undefined

  constructor(url: string, answer: { problem: Problem; status: number; retryAfterMs: number | undefined }) {
    super(`${answer.problem.title}: ${answer.problem.detail}`, url)
    this.problem = answer.problem
    this.code = answer.problem.code
    this.status = answer.status
    this.retryAfterMs = answer.retryAfterMs
  }

  /** Whether this is the problem with the given code; narrows `problem`. */
  is<Code extends ProblemCode>(
    code: Code,
  ): this is { readonly problem: { readonly type: ProblemType<Code>; readonly code: Code } } {
    return this.code === code
  }
}

/** The answer does not come from the service: a page of a proxy, a redirect (never followed), another media type. */
export class UnexpectedResponseError extends FloeError {
  override readonly name = 'UnexpectedResponseError'
  /** HTTP status of the answer; 0 for a redirect in a browser, which hides it. */
  readonly status: number
  /** Start of the body. */
  readonly excerpt: string

  constructor(url: string, answer: { status: number; reason: string; body: string }) {
    super(`Unexpected answer with status ${answer.status} from ${url}: ${answer.reason}`, url)
    this.status = answer.status
    this.excerpt = answer.body.slice(0, 200)
  }
}

/** The body violates the contract: client and service have incompatible versions, or a proxy changed the body. */
export class ContractViolationError extends FloeError {
  override readonly name = 'ContractViolationError'
  /** The wrong places of the body, at most the first 100, as JSON pointers, with what is wrong there. */
  readonly issues: readonly ProblemError[]

  constructor(url: string, issues: readonly ProblemError[]) {
    super(`The answer from ${url} violates the contract: ${summarize(issues)}`, url)
    this.issues = issues
  }
}

/**
 * The history of a ref does not contain a commit at which a list should end: the branch was reset, or the commit has
 * expired.
 */
export class HistoryRewrittenError extends Error {
  override readonly name = 'HistoryRewrittenError'

  constructor() {
    super('The history no longer contains the commit at which the list should end')
  }
}
