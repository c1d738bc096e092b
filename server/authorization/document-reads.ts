// Limits how many documents of clients are read, because anyone can make the service read any public address.
import type { FastifyRequest } from 'fastify'
import { type Answering, CallerLimit } from '../http/access/rate-limits.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Timing } from '../timing.ts'

/** Reads for one address in a minute. */
const perMinute = 60

/** Reads at the same time. */
const maxRunning = 20

export class DocumentReads {
  readonly #limit: CallerLimit
  #running = 0

  constructor(elapsed: Timing['elapsed']) {
    this.#limit = new CallerLimit(() => perMinute, elapsed)
  }

  /** @throws RequestProblem `too-many-requests` or `unavailable` above a limit */
  async run<Document>(request: FastifyRequest, reply: Answering, read: () => Promise<Document>): Promise<Document> {
    this.#limit.count(request, reply)
    if (this.#running >= maxRunning) throw new RequestProblem('unavailable', 'Many clients ask now; try again later')
    this.#running++
    try {
      return await read()
    } finally {
      this.#running--
    }
  }
}
