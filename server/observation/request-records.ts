// What each request leaves behind: a count by its route and status, and one line in the log.
import { randomUUID } from 'node:crypto'
import type { ApiKey } from '@floe/storage/database'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { dropQuery } from './drop-query.ts'
import type { Stopwatch } from '../timing.ts'
import { Durations } from './durations.ts'
import { Labelled } from './labelled.ts'

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
  readonly status: number
  readonly startedAt: number
}

/** Counts requests, and writes their lines. */
export class RequestRecords {
  /**
   * How long answers took, by method, route and status: from the begin of the work until the answer was sent, the caller has left or the
   * stream has ended. Routes are those that Fastify has, and `none`; HEAD counts as GET.
   */
  readonly durations = new Labelled(() => new Durations())
  readonly #log: FastifyBaseLogger
  readonly #elapsed: Stopwatch
  readonly #writesLines: boolean

  constructor(log: FastifyBaseLogger, elapsed: Stopwatch) {
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
      this.findDurations(request, status).note(ms)
      if (!this.#writesLines) return
      const { method, originalUrl, apiKey, refusal } = request
      const problem = refusal && { problem: refusal.code, detail: refusal.message }
      const facts = { method, url: dropQuery(originalUrl), status, ms: round(ms), key: apiKey?.id, ...problem }
      request.log.info(facts, 'request')
    })
  }

  /** The durations among which a request counts. */
  findDurations({ method, routeOptions: { url } }: FastifyRequest, status: number): Durations {
    // Any method may be sent to an address that does not exist.
    if (url === undefined) return this.durations.find('none', 'none', String(status))
    return this.durations.find(method === 'HEAD' ? 'GET' : method, url, String(status))
  }

  /** Records a request that was answered without Fastify. */
  noteQuick(durations: Durations, { method, url, caller, status, startedAt }: QuickRequest): void {
    const ms = this.#elapsed() - startedAt
    durations.note(ms)
    if (!this.#writesLines) return
    const facts = { reqId: randomUUID(), method, url: dropQuery(url), status, ms: round(ms), key: caller?.id }
    this.#log.info(facts, 'request')
  }
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
