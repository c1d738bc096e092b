// One request and its answer, within limits of time and size.
import type { Dispatcher } from 'undici'
import { explainExchange, PostError } from './explain-exchange.ts'
import { isStale } from './limit-answers.ts'
import type { ReceiverAgent } from './receiver-agent.ts'
import type { Budget } from './start-budget.ts'

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

/** We read at most this much of a body, in bytes, and keep its start; a longer body is no failure. */
const maxBodyBytes = 256_000
const startBytes = 16_384

/** Most interim answers (status 1xx) before the final one. */
const maxInterimAnswers = 10

/**
 * Makes one exchange; `stale` when it used a kept connection that the receiver had closed before it saw the request.
 *
 * @throws {@link PostError}, or the error of undici when the request cannot be written
 */
export function exchange(
  request: PostRequest,
  agent: ReceiverAgent,
  budget: Pick<Budget, 'signal' | 'ms'>,
): Promise<PostResponse | 'stale'> {
  return new Promise((resolve, reject) => {
    new Exchange(request, agent, budget, { resolve, reject }).start()
  })
}

/** Headers by their names in lower case; a list if one was sent more than once. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** How an exchange ends. */
type Outcome = { readonly resolve: (response: PostResponse | 'stale') => void; readonly reject: (error: Error) => void }

class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: PostRequest
  readonly #agent: ReceiverAgent
  readonly #budget: Pick<Budget, 'signal' | 'ms'>
  readonly #outcome: Outcome
  /** Set when the request is sent. */
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #interimAnswers = 0
  #status: number | undefined
  #retryAfter: string | undefined
  #announcedBytes = Number.NaN
  readonly #kept: Buffer[] = []
  #keptBytes = 0
  #bodyBytes = 0

  constructor(request: PostRequest, agent: ReceiverAgent, budget: Pick<Budget, 'signal' | 'ms'>, outcome: Outcome) {
    this.#request = request
    this.#agent = agent
    this.#budget = budget
    this.#outcome = outcome
  }

  start(): void {
    const { url, headers, body } = this.#request
    const { signal } = this.#budget
    if (signal.aborted) {
      this.#endTime()
      return
    }
    signal.addEventListener('abort', this.#endTime)
    this.#agent.dispatch({ origin: url.origin, method: 'POST', path: url.pathname + url.search, headers, body }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The time was over before there was a connection.
    if (this.#isOver) this.#closeConnection()
  }

  onResponseStart(_controller: unknown, status: number, headers: AnswerHeaders): void {
    if (status < 200) {
      if (++this.#interimAnswers <= maxInterimAnswers) return
      const { hostname } = this.#request.url
      this.#fail(new PostError(`${hostname} sent more than ${maxInterimAnswers} interim answers (1xx)`))
      this.#closeConnection()
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
    if (this.#bodyBytes < maxBodyBytes) return
    this.#succeed()
    this.#closeConnection()
  }

  onResponseEnd(): void {
    this.#succeed()
  }

  onResponseError(_controller: unknown, cause: Error): void {
    const hasSentTooMuch = cause instanceof PostError && this.#status !== undefined
    // The body is complete. undici 8 misreads a `Content-Length` that ends with spaces, and then refuses the answer.
    if (hasSentTooMuch || this.#bodyBytes === this.#announcedBytes) this.#succeed()
    else if (isStale(cause)) this.#end(() => this.#outcome.resolve('stale'))
    else if (cause instanceof PostError || this.#controller === undefined) this.#fail(cause)
    else this.#fail(this.#explain(cause))
  }

  readonly #endTime = (): void => {
    this.#fail(this.#explain(new Error('the time is over'), this.#budget.ms))
    this.#closeConnection()
  }

  #succeed(): void {
    const response = { status: this.#status ?? 0, retryAfter: this.#retryAfter, start: Buffer.concat(this.#kept) }
    this.#end(() => this.#outcome.resolve(response))
  }

  #fail(error: Error): void {
    this.#end(() => this.#outcome.reject(error))
  }

  /** Ends the exchange once; what comes later is ignored. */
  #end(settle: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#budget.signal.removeEventListener('abort', this.#endTime)
    settle()
  }

  #closeConnection(): void {
    this.#controller?.abort(new Error('the exchange is over'))
  }

  #explain(cause: Error, timedOutAfterMs?: number): PostError {
    const { url } = this.#request
    const status = this.#status
    const sentStage = status === undefined ? 'response' : 'body'
    const stage = this.#controller === undefined ? this.#agent.findStage(url.origin) : sentStage
    const failed = { url, cause, stage, timedOutAfterMs, certificate: undefined }
    return new PostError(explainExchange(failed), status, { cause })
  }
}

/** Returns the first value of a header that may have been sent several times. */
function readFirst(header: AnswerHeaders[string]): string | undefined {
  return typeof header === 'object' ? header[0] : header
}
