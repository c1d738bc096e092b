// Why a request to a remote store failed. Keeps only the status and the code, never the message of a server or an SDK,
// because it can contain credentials or signed URLs.

const transientCodes = new Set(['ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET', 'ENDED_EARLY', 'RequestTimeout'])
const timeoutCodes = new Set(['TIMEOUT', 'TimeoutError', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])

/** Error codes that say nothing about the cause, so they are not shown. */
const meaninglessCodes = new Set(['Error', 'Unknown', 'UnknownError'])

export type FaultFacts = {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly advice?: string | undefined
}

/** A request failed: whether the object exists is unknown. */
export class RequestFault extends Error {
  override name = 'RequestFault'
  readonly status: number | undefined
  /** Code of the service or the system, such as `AccessDenied` or `ECONNRESET`. */
  readonly code: string | undefined

  constructor({ status, code, advice }: FaultFacts) {
    // The code comes from outside, so show it only if it looks like an error code.
    const shownCode =
      code !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(code) && !meaninglessCodes.has(code) ? code : undefined
    const what = status === undefined ? 'cannot be read' : `the store answered ${status}`
    super(what + (shownCode === undefined ? '' : ` (${shownCode})`) + (advice === undefined ? '' : `; ${advice}`))
    this.status = status
    this.code = shownCode
  }

  get isTimeout(): boolean {
    return this.code !== undefined && timeoutCodes.has(this.code)
  }

  get isTransient(): boolean {
    const { status, code } = this
    if (status !== undefined && (status === 408 || status === 429 || (status >= 500 && status !== 501))) return true
    return this.isTimeout || (code !== undefined && transientCodes.has(code))
  }
}

/** Converts an error of a socket or of an SDK, without an HTTP status, to a fault. */
export function toRequestFault(error: unknown, advice?: string): RequestFault {
  if (error instanceof RequestFault) return error
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new RequestFault({ code: readText(source, 'code') ?? readText(source, 'name'), advice })
}

/** Reads a text member of a value of unknown type; undefined when there is none. */
export function readText(value: unknown, member: string): string | undefined {
  const text = readMember(value, member)
  return typeof text === 'string' ? text : undefined
}

/** Reads a member of a value of unknown type; undefined when there is none. */
export function readMember(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
}
