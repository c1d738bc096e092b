// Why one request to a remote store failed. Only the status and the code are kept, never the messages of servers and SDKs, because
// they can repeat credentials or signed addresses.

const transientCodes = new Set(['ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET', 'ENDED_EARLY', 'RequestTimeout'])
const timeoutCodes = new Set(['TIMEOUT', 'TimeoutError', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])

/** Codes that say nothing about the cause. */
const empty = new Set(['Error', 'Unknown', 'UnknownError'])

/** What is known of a failure; `advice` is what to do about it. */
export type FaultFacts = {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly advice?: string | undefined
}

/** A request that gave neither an object nor its absence. */
export class RequestFault extends Error {
  override name = 'RequestFault'
  /** HTTP status, when there was an answer. */
  readonly status: number | undefined
  /** Code of the service or the system, such as `AccessDenied` or `ECONNRESET`. */
  readonly code: string | undefined

  constructor({ status, code, advice }: FaultFacts) {
    // A code is text from outside: only what looks like one is shown.
    const known = code !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(code) && !empty.has(code) ? code : undefined
    const what = status === undefined ? 'cannot be read' : `the store answered ${status}`
    super(what + (known === undefined ? '' : ` (${known})`) + (advice === undefined ? '' : `; ${advice}`))
    this.status = status
    this.code = known
  }

  get isTimeout(): boolean {
    return this.code !== undefined && timeoutCodes.has(this.code)
  }

  /** Whether the same request may well succeed a moment later. */
  get isTransient(): boolean {
    const { status, code } = this
    if (status !== undefined && (status === 408 || status === 429 || (status >= 500 && status !== 501))) return true
    return this.isTimeout || (code !== undefined && transientCodes.has(code))
  }
}

/** The facts of an error without an answer: of a socket, of `fetch`, or of an SDK before or after the exchange. */
export function toRequestFault(error: unknown, advice?: string): RequestFault {
  if (error instanceof RequestFault) return error
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new RequestFault({ code: readText(source, 'code') ?? readText(source, 'name'), advice })
}

/** A text member of something foreign. */
export function readText(value: unknown, member: string): string | undefined {
  const found = readMember(value, member)
  return typeof found === 'string' ? found : undefined
}

/** A member of something foreign. */
export function readMember(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
}
