// One request and its answer on one connection, within limits of time and size.
import type { PeerCertificate } from 'node:tls'
import { AnswerLimit } from './answer-limit.ts'
import type { Connection, ConnectionPool, ConnectionUser } from './connection-pool.ts'
import { explainExchange, type ExchangeStage, readErrorCode } from './explain-exchange.ts'
import { PostError } from './post-error.ts'
import type { Budget } from './start-budget.ts'
import type { Opener } from './tls-connector.ts'

/** What is sent. */
export type PostRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came back. */
export type PostResponse = {
  readonly status: number
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined
  /** The first 16 KB of the body as it came. */
  readonly start: Buffer
}

/** The time limit of an exchange, and how it finds its receiver. */
export type ExchangeContext = Pick<Budget, 'signal' | 'ms'> & Pick<Opener, 'resolve'>

/** We read at most this much of a body, in bytes, and keep its start; a longer body is no failure. */
const maxBodyBytes = 256_000
const startBytes = 16_384

/**
 * Makes one exchange; `stale` when it used a kept connection that the receiver had closed before it saw the request.
 *
 * @throws {@link PostError}
 */
export function exchange(
  request: PostRequest,
  connections: ConnectionPool,
  context: ExchangeContext,
): Promise<PostResponse | 'stale'> {
  return new Promise((resolve, reject) => {
    new Exchange(request, connections, context, { resolve, reject }).start()
  })
}

/** Headers by their names in lower case; a list if one was sent more than once. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** How an exchange ends. */
type Outcome = { readonly resolve: (response: PostResponse | 'stale') => void; readonly reject: (error: Error) => void }

class Exchange implements ConnectionUser {
  stage: ExchangeStage = 'response'
  certificate: PeerCertificate | undefined
  isFirst = false
  readonly resolve: Opener['resolve']
  readonly #request: PostRequest
  readonly #connections: ConnectionPool
  readonly #connection: Connection
  readonly #context: ExchangeContext
  readonly #outcome: Outcome
  readonly #limit = new AnswerLimit()
  #isOver = false
  #isAnswered = false
  #status: number | undefined
  #retryAfter: string | undefined
  #announcedBytes = Number.NaN
  readonly #kept: Buffer[] = []
  #keptBytes = 0
  #bodyBytes = 0

  constructor(request: PostRequest, connections: ConnectionPool, context: ExchangeContext, outcome: Outcome) {
    this.#request = request
    this.#connections = connections
    this.#connection = connections.take(request.url)
    this.#context = context
    this.resolve = context.resolve
    this.#outcome = outcome
  }

  start(): void {
    const { url, headers, body } = this.#request
    const { signal } = this.#context
    if (signal.aborted) {
      this.#endTime()
      return
    }
    signal.addEventListener('abort', this.#endTime)
    this.#connection.send({ method: 'POST', path: url.pathname + url.search, headers, body }, this)
  }

  onRequestStart(): void {}

  onRead(bytes: number): void {
    const excess = this.#limit.countRead(bytes)
    if (excess !== undefined) this.#stop(excess)
  }

  onResponseStarted(): void {
    this.#isAnswered = true
  }

  onResponseStart(_controller: unknown, status: number, headers: AnswerHeaders): void {
    if (status < 200) {
      const excess = this.#limit.countInterimAnswer()
      if (excess !== undefined) this.#stop(excess)
    } else {
      this.#status = status
      this.#retryAfter = readFirst(headers['retry-after'])
      this.#announcedBytes = Number.parseInt(readFirst(headers['content-length']) ?? '')
    }
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#keptBytes < startBytes) this.#kept.push(chunk.subarray(0, startBytes - this.#keptBytes))
    this.#keptBytes = Math.min(this.#keptBytes + chunk.length, startBytes)
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes >= maxBodyBytes) this.#succeed(false)
  }

  onResponseEnd(): void {
    this.#succeed(true)
  }

  onResponseError(_controller: unknown, cause: Error): void {
    // The body is complete. undici 8 misreads a `Content-Length` that ends with spaces, and then refuses the answer.
    if (this.#bodyBytes === this.#announcedBytes) this.#succeed(false)
    const isUnseen = !this.#isAnswered && !this.isFirst && isClosed(cause)
    this.#end(false, () => (isUnseen ? this.#outcome.resolve('stale') : this.#outcome.reject(this.#explain(cause))))
  }

  readonly #endTime = (): void => {
    const cause = new Error('the time is over')
    this.#end(false, () => this.#outcome.reject(this.#explain(cause, this.#context.ms)))
  }

  /** Ends the exchange because the receiver has sent too much. If the status is known, it decides. */
  #stop(excess: string): void {
    if (this.#status !== undefined) this.#succeed(false)
    else this.#end(false, () => this.#outcome.reject(new PostError(`${this.#request.url.hostname} ${excess}`)))
  }

  #succeed(keepsConnection: boolean): void {
    const response = { status: this.#status ?? 0, retryAfter: this.#retryAfter, start: Buffer.concat(this.#kept) }
    this.#end(keepsConnection, () => this.#outcome.resolve(response))
  }

  /** Ends the exchange once; what comes later is ignored. */
  #end(keepsConnection: boolean, settle: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#context.signal.removeEventListener('abort', this.#endTime)
    if (keepsConnection) this.#connections.giveBack(this.#connection)
    else this.#connection.destroy()
    settle()
  }

  #explain(cause: Error, timedOutAfterMs?: number): Error {
    if (cause instanceof PostError) return cause
    const status = this.#status
    const stage = status === undefined ? this.stage : 'body'
    const { certificate } = this
    const { url } = this.#request
    return new PostError(explainExchange({ url, cause, stage, timedOutAfterMs, certificate }), status, { cause })
  }
}

/** Whether the receiver has closed the connection. */
function isClosed(cause: Error): boolean {
  return /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(readErrorCode(cause) ?? '')
}

/** Of a header that was sent several times, the first counts. */
function readFirst(header: AnswerHeaders[string]): string | undefined {
  return typeof header === 'object' ? header[0] : header
}
