// What each request leaves behind: a count by its route and status, and one line in the log.
import { randomUUID } from 'node:crypto'
import type { ApiKey } from '@floe/storage/database'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { dropQuery } from './hide-secrets.ts'
import type { Stopwatch } from '../../timing.ts'
import type { Metrics } from './metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused; null if it was not. */
    refusal: { readonly code: string; readonly message: string } | null
  }
}

/** The status of a request whose caller has left before there was an answer, as other servers log it. */
const callerLeft = 499

/** Levels of a log that has the lines of requests. */
const levelsWithRequests: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

/** A request whose answer was remembered. */
type QuickRequest = {
  readonly method: string
  readonly url: string
  readonly caller: ApiKey | null
  readonly startedAt: number
}

/** Counts requests, and writes their lines. */
export class RequestRecords {
  readonly #seconds: Metrics['requestSeconds']
  readonly #log: FastifyBaseLogger
  readonly #elapsed: Stopwatch
  readonly #writesLines: boolean

  constructor(log: FastifyBaseLogger, elapsed: Stopwatch, { requestSeconds }: Pick<Metrics, 'requestSeconds'>) {
    this.#seconds = requestSeconds
    this.#log = log
    this.#elapsed = elapsed
    this.#writesLines = levelsWithRequests.has(log.level)
  }

  /** Records a request when its answer ends. */
  begin(request: FastifyRequest, { raw }: FastifyReply): void {
    const start = this.#elapsed()
    raw.once('close', () => {
      const ms = this.#elapsed() - start
      const status = raw.headersSent ? raw.statusCode : callerLeft
      this.#seconds.observe(labelRequest(request, status), ms / 1_000)
      if (!this.#writesLines) return
      const { method, originalUrl, apiKey, refusal } = request
      const problem = refusal && { problem: refusal.code, detail: refusal.message }
      const facts = { method, url: dropQuery(originalUrl), status, ms: round(ms), key: apiKey?.id, ...problem }
      request.log.info(facts, 'request')
    })
  }

  /** Records a request that was answered without Fastify. */
  noteQuick(labels: RequestLabels, { method, url, caller, startedAt }: QuickRequest): void {
    const ms = this.#elapsed() - startedAt
    this.#seconds.observe(labels, ms / 1_000)
    if (!this.#writesLines) return
    const facts = {
      reqId: randomUUID(),
      method,
      url: dropQuery(url),
      status: labels.status,
      ms: round(ms),
      key: caller?.id,
    }
    this.#log.info(facts, 'request')
  }
}

/** The labels under which a request is counted. */
export type RequestLabels = { readonly method: string; readonly route: string; readonly status: number }

/** Finds the labels of a request. Routes are those that Fastify has, and `none`; HEAD counts as GET. */
export function labelRequest({ method, routeOptions: { url } }: FastifyRequest, status: number): RequestLabels {
  // Any method may be sent to an address that does not exist.
  if (url === undefined) return { method: 'none', route: 'none', status }
  return { method: method === 'HEAD' ? 'GET' : method, route: url, status }
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
