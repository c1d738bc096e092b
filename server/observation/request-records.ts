// Records each request: its duration in the metrics, and a line in the log at the level `debug`.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { dropQuery } from './hide-secrets.ts'
import type { Stopwatch } from '../timing.ts'
import type { Metrics } from './metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The problem that answered the request; null if there was none. */
    refusal: { readonly code: string; readonly message: string } | null
  }
}

type RecordedRequest = Pick<FastifyRequest, 'method' | 'originalUrl' | 'id'>

type RecordedAnswer = Pick<FastifyRequest, 'caller' | 'refusal'> & {
  /** Pattern of the route; undefined for an address that does not exist. */
  readonly route: string | undefined
  readonly status: number
  /** When the request began, by the stopwatch. */
  readonly startedAt: number
}

/** The status of a request whose caller disconnected before the answer; nginx logs the same number. */
const callerDisconnected = 499

export class RequestRecords {
  readonly #seconds: Metrics['requestSeconds']
  readonly #elapsed: Stopwatch
  readonly #log: Pick<FastifyBaseLogger, 'debug' | 'level'>

  constructor(
    log: Pick<FastifyBaseLogger, 'debug' | 'level'>,
    elapsed: Stopwatch,
    { requestSeconds }: Pick<Metrics, 'requestSeconds'>,
  ) {
    this.#seconds = requestSeconds
    this.#elapsed = elapsed
    this.#log = log
  }

  /** Records a request when its answer has ended. */
  begin(request: FastifyRequest, { raw }: FastifyReply): void {
    const startedAt = this.#elapsed()
    raw.once('close', () => {
      const status = raw.headersSent ? raw.statusCode : callerDisconnected
      const { caller, refusal } = request
      this.record(request, { route: request.routeOptions.url, status, startedAt, caller, refusal })
    })
  }

  /** Records a request and its answer. */
  record(request: RecordedRequest, { route, status, startedAt, caller, refusal }: RecordedAnswer): void {
    const ms = this.#elapsed() - startedAt
    const { method } = request
    // At addresses that do not exist, callers can invent methods. HEAD counts as GET.
    const methodLabel = route === undefined ? 'none' : method === 'HEAD' ? 'GET' : method
    // The names of the files of the settings page change with each build.
    const routeLabel = route?.startsWith('/assets/') === true ? '/assets/*' : (route ?? 'none')
    this.#seconds.observe({ method: methodLabel, route: routeLabel, status }, ms / 1_000)
    if (!['debug', 'trace'].includes(this.#log.level)) return
    const { originalUrl } = request
    const problem = refusal && { problem: refusal.code, detail: refusal.message }
    const facts = { reqId: request.id, method, url: dropQuery(originalUrl), status, ms: round(ms), key: caller?.id }
    this.#log.debug({ ...facts, ...problem }, 'request')
  }
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
