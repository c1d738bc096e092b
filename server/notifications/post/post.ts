// Sends one POST over HTTPS, or over HTTP to this machine if that is allowed. Resolves the host once, checks every
// address against the rules, and connects only to a checked one, or asks a proxy to connect to the host. A reused
// connection was checked when it was opened. Follows no redirects, and decompresses nothing.
import { isIP } from 'node:net'
import { type AddressRules, checkAddresses, readHost, type ResolveHost } from '@floe/storage/addresses'
import type { Dispatcher } from 'undici'
import type { Timing } from '../../timing.ts'
import type { ReceiverProxy } from '../receivers/receiver-proxy.ts'
import { allowance, httpAllowance, isHttpLoopback } from '../receivers/receiver-url.ts'
import { explainExchange, PostError } from './explain-exchange.ts'
import { isStale } from './limit-answers.ts'
import type { ReceiverAgent } from './receiver-agent.ts'
import type { ClientCertificate } from './tls-contexts.ts'

export type PostRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type PostResponse = {
  readonly status: number
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined
  /** The first 16 KB of the body, not decoded. */
  readonly start: Buffer
}

export type PosterOptions = {
  readonly rules: AddressRules
  /** Whether `http` to this machine is allowed, whatever the rules. Default false. */
  readonly allowHttpLoopback?: boolean
  readonly resolveHost: ResolveHost
  /** Certificates in PEM form, trusted in addition to those of Node.js. */
  readonly extraCa?: string | undefined
  readonly clientCertificates?: readonly ClientCertificate[] | undefined
  /** Default: none. */
  readonly proxy?: ReceiverProxy | undefined
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
  /** Longest exchange in milliseconds, from the look-up of the name to the end of the body. Default 5 s. */
  readonly limitMs?: number
}

const exchangeLimitMs = 5_000

/** How much of a body is read at most, and how much of its start is kept, in bytes. A longer body is no failure. */
const maxBodyBytes = 256_000
const maxStartBytes = 16_384

/** Maximum number of interim answers (status 1xx) before the final one. */
const maxInterimAnswers = 10

export type Poster = ReturnType<typeof openPoster>

/** The life of who sends. */
export type Life = {
  /** When it ends, by the stopwatch. It may get longer. */
  readonly aliveUntil: number
}

const endless: Life = { aliveUntil: Infinity }

/** The life of who sends has ended: others may send the same request. */
export class LifeEndedError extends Error {
  override readonly name = 'LifeEndedError'

  constructor() {
    super('given up, because this process had no contact with the database, and others may send it')
  }
}

/** Opens what sends requests to receivers. */
export function openPoster(options: PosterOptions) {
  const { rules, allowHttpLoopback = false, resolveHost, timing, limitMs = exchangeLimitMs } = options
  const { extraCa, clientCertificates = [], proxy } = options
  const requireAllowed = (host: string, addresses: readonly string[]) => {
    const { allowed, refusal } = checkAddresses(host, addresses, rules)
    if (refusal !== undefined)
      throw new PostError(`refused: its host leads to an address that is ${refusal}${allowance}`)
    return allowed
  }
  const resolve = async (host: string, signal: AbortSignal) => requireAllowed(host, await resolveHost(host, signal))
  let agent: Promise<ReceiverAgent> | undefined
  // Loaded with the first request: a service without receivers needs neither undici nor certificates, which take 40 ms
  // and 10 MB.
  const openAgent = async () => {
    const { ReceiverAgent } = await import('./receiver-agent.ts')
    return new ReceiverAgent({ resolve, resolveHost, proxy, extraCa, clientCertificates, timing })
  }
  return {
    /** @throws {@link PostError}, {@link LifeEndedError} */
    post: async (request: PostRequest, life: Life = endless): Promise<PostResponse> => {
      const host = readHost(request.url)
      // The setting may have been true when the URL was saved.
      if (request.url.protocol !== 'https:' && !(allowHttpLoopback && isHttpLoopback(request.url)))
        throw new PostError(`refused: its URL does not start with https://${httpAllowance}`)
      if (isIP(host) !== 0 && !isHttpLoopback(request.url)) requireAllowed(host, [host])
      const { time, cancel } = startTimeLimit(limitMs, life, timing)
      try {
        // Each retry uses up one idle connection, and there are few.
        for (;;) {
          const response = await new Exchange(request, await (agent ??= openAgent()), time).run()
          if (response !== 'stale') return response
        }
      } finally {
        cancel()
      }
    },
    close: async () => (await agent)?.destroy(),
  }
}

/** `signal` aborts when the time is over; by the stopwatch it may be over before. */
type TimeLimit = {
  readonly signal: AbortSignal
  readonly ms: number
  readonly isOver: () => boolean
  readonly hasLifeEnded: () => boolean
}

/**
 * Starts a time limit, which also ends with a life. At its end, all sockets are read once more, so that an answer that
 * has arrived counts.
 */
function startTimeLimit(ms: number, life: Life, { elapsed, after }: Pick<Timing, 'elapsed' | 'after'>) {
  const controller = new AbortController()
  const end = elapsed() + ms
  const findEnd = () => Math.min(end, life.aliveUntil)
  let cancel: () => void
  const wait = () => {
    const planned = findEnd()
    cancel = after(planned - elapsed(), () => {
      // The life may have got longer.
      if (findEnd() > planned) wait()
      // The event loop polls the sockets between two immediates.
      else setImmediate(() => setImmediate(() => controller.abort()))
    })
  }
  wait()
  const isOver = () => elapsed() >= findEnd()
  const time: TimeLimit = { signal: controller.signal, ms, isOver, hasLifeEnded: () => life.aliveUntil < end }
  return { time, cancel: () => cancel() }
}

type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** `stale` when the receiver had closed a reused connection before it saw the request. */
type Outcome = PostResponse | 'stale'

/** One request and its answer, within limits of time and size. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: PostRequest
  readonly #agent: ReceiverAgent
  readonly #time: TimeLimit
  readonly #outcome = Promise.withResolvers<Outcome>()
  /** Set when the request is sent. */
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #interimAnswers = 0
  #status: number | undefined
  #retryAfter: string | undefined
  #announcedBytes = Number.NaN
  readonly #start: Buffer[] = []
  #startBytes = 0
  #bodyBytes = 0

  constructor(request: PostRequest, agent: ReceiverAgent, time: TimeLimit) {
    this.#request = request
    this.#agent = agent
    this.#time = time
  }

  /** @throws {@link PostError}, or the error of undici when the request cannot be written */
  run(): Promise<Outcome> {
    const { url, headers, body } = this.#request
    const { signal } = this.#time
    signal.addEventListener('abort', this.#endTime)
    if (signal.aborted) this.#endTime()
    else
      this.#agent.dispatch({ origin: url.origin, method: 'POST', path: url.pathname + url.search, headers, body }, this)
    return this.#outcome.promise
  }

  /** Called right before the request is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A process that was paused may find an open connection before its timers fire. Others may send the delivery then.
    if (this.#time.isOver()) this.#endTime()
    this.#controller = controller
    // The time limit ended before the connection was open.
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
    if (this.#startBytes < maxStartBytes) this.#start.push(chunk.subarray(0, maxStartBytes - this.#startBytes))
    this.#startBytes = Math.min(this.#startBytes + chunk.length, maxStartBytes)
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
    const { ms, hasLifeEnded } = this.#time
    this.#fail(hasLifeEnded() ? new LifeEndedError() : this.#explain(new Error('the time is over'), ms))
    this.#closeConnection()
  }

  #succeed(): void {
    const response = { status: this.#status ?? 0, retryAfter: this.#retryAfter, start: Buffer.concat(this.#start) }
    this.#end(() => this.#outcome.resolve(response))
  }

  #fail(error: Error): void {
    this.#end(() => this.#outcome.reject(error))
  }

  /** Ends the exchange once; what comes later is ignored. */
  #end(settle: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#time.signal.removeEventListener('abort', this.#endTime)
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
