import type { ServerResponse } from 'node:http'
import { responseHeaders } from '@floe/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { Stopwatch } from '../../timing.ts'
import { nameNetwork } from './name-network.ts'

/** Maximum size of the answers that callers have not read yet, in bytes. */
export type UnsentLimits = {
  /** For all callers together. */
  readonly unsentBytes: number
  /** For one address; IPv6 addresses count by their /64 network. */
  readonly unsentBytesPerAddress: number
}

/** Smaller answers, in bytes, do not count: the limits of connections keep them from filling the memory. */
const countedBytes = 65_536

/** After this many milliseconds, the connection of an unread answer may be closed to make room for others. */
const stalledAfterMs = 2_000

type Caller = Pick<FastifyRequest, 'ip'>

type Unsent = {
  readonly response: ServerResponse
  readonly measure: () => number
  readonly address: string
  readonly since: number
}

/**
 * The large answers that are not sent yet, and the large bodies of requests that are not answered yet. Limits the
 * memory that callers can fill who do not read their answers, or send slowly.
 */
export class UnsentAnswers {
  readonly #limits: UnsentLimits
  readonly #elapsed: Stopwatch
  /** Oldest first. */
  readonly #unsent = new Set<Unsent>()
  /** The size of their bodies together. Callers may have read a part of them. */
  #bytes = 0

  /** @param limits read at each answer, because they can change */
  constructor(limits: UnsentLimits, elapsed: Stopwatch) {
    this.#limits = limits
    this.#elapsed = elapsed
  }

  /** Makes room for an answer; closes connections of stalled callers if needed. Returns false if there is no room. */
  makeRoom({ ip }: Caller, bytes: number): boolean {
    if (bytes < countedBytes) return true
    const { unsentBytes, unsentBytesPerAddress } = this.#limits
    // Mostly all of them fit, even if they came from one address. Then none has to be measured.
    if (this.#bytes + bytes <= Math.min(unsentBytes, unsentBytesPerAddress)) return true
    const address = nameNetwork(ip)
    return (
      this.#makeRoom(bytes, unsentBytesPerAddress, (unsent) => unsent.address === address) &&
      this.#makeRoom(bytes, unsentBytes, () => true)
    )
  }

  /**
   * Counts an answer until it is sent.
   *
   * @param measure returns its size in memory; default: what is not read yet
   */
  count({ ip }: Caller, response: ServerResponse, bytes: number, measure = () => response.writableLength): void {
    // A response that is closed already, because its caller has left, will not say so again.
    if (bytes < countedBytes || response.closed) return
    const unsent = { response, measure, address: nameNetwork(ip), since: this.#elapsed() }
    this.#unsent.add(unsent)
    this.#bytes += bytes
    response.once('close', () => {
      this.#unsent.delete(unsent)
      this.#bytes -= bytes
    })
  }

  /** An `onSend` hook that replaces answers for which there is no room with an error. */
  readonly refuse = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void => {
    if (!(payload instanceof Buffer)) return done(null, payload)
    if (this.makeRoom(request, payload.length)) {
      this.count(request, reply.raw, payload.length)
      return done(null, payload)
    }
    reply.removeHeader(responseHeaders.etag.name)
    const detail = 'Too many answers wait to be read; read them, and try again'
    done(new RequestProblem('unavailable', detail, { headers: { [responseHeaders.retryAfter.name]: '2' } }))
  }

  /** Closes connections of stalled callers until the bytes fit into the limit. Returns whether they do. */
  #makeRoom(bytes: number, limit: number, isCounted: (unsent: Unsent) => boolean): boolean {
    const counted = [...this.#unsent].filter(isCounted)
    let sum = counted.reduce((total, { measure }) => total + measure(), bytes)
    const stalledSince = this.#elapsed() - stalledAfterMs
    for (const unsent of counted) {
      if (sum <= limit || unsent.since > stalledSince) break
      sum -= unsent.measure()
      unsent.response.destroy()
      this.#unsent.delete(unsent)
    }
    return sum <= limit
  }
}
