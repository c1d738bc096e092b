import type { ServerResponse } from 'node:http'
import { normalizeIP } from '@fastify/rate-limit'
import { responseHeaders } from '@floe/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Stopwatch } from '../../timing.ts'

/** Limits of the answers that wait for their callers to read them, in bytes. */
export type UnsentLimits = {
  /** Maximum for all callers together. */
  readonly unsentBytes: number
  /** Maximum for one address; IPv6 addresses count by their /64 network. */
  readonly unsentBytesPerAddress: number
}

/** Smaller answers, in bytes, are always sent: with the limits of connections, they cannot fill the memory. */
const countedBytes = 65_536

/** An answer that has waited for this long, in milliseconds, is given up when others need its room. */
const patienceMs = 2_000

type Caller = Pick<FastifyRequest, 'ip'>

type Unsent = { readonly response: ServerResponse; readonly address: string; readonly since: number }

/** The large answers that are not sent yet. Keeps callers who ask and do not read from filling the memory. */
export class UnsentAnswers {
  readonly #limits: UnsentLimits
  readonly #elapsed: Stopwatch
  /** Oldest first. */
  readonly #unsent = new Set<Unsent>()

  /** @param limits read at each answer, because they can change */
  constructor(limits: UnsentLimits, elapsed: Stopwatch) {
    this.#limits = limits
    this.#elapsed = elapsed
  }

  /** Makes room for an answer: closes the connections of the oldest answers if they are in its way. Returns whether there is room. */
  makeRoom({ ip }: Caller, bytes: number): boolean {
    if (bytes < countedBytes) return true
    const address = normalizeIP(ip)
    const { unsentBytes, unsentBytesPerAddress } = this.#limits
    return (
      this.#makeRoom(bytes, unsentBytesPerAddress, (unsent) => unsent.address === address) &&
      this.#makeRoom(bytes, unsentBytes, () => true)
    )
  }

  /** Counts an answer until it is sent. */
  count({ ip }: Caller, response: ServerResponse, bytes: number): void {
    if (bytes < countedBytes) return
    const unsent = { response, address: normalizeIP(ip), since: this.#elapsed() }
    this.#unsent.add(unsent)
    response.once('close', () => this.#unsent.delete(unsent))
  }

  /** An `onSend` hook that refuses answers for which there is no room. */
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

  /** Closes connections until the bytes fit below the limit. Returns whether they do. */
  #makeRoom(bytes: number, limit: number, counts: (unsent: Unsent) => boolean): boolean {
    const counted = [...this.#unsent].filter(counts)
    let sum = counted.reduce((total, { response }) => total + response.writableLength, bytes)
    const until = this.#elapsed() - patienceMs
    for (const unsent of counted) {
      if (sum <= limit || unsent.since > until) break
      sum -= unsent.response.writableLength
      unsent.response.destroy()
      this.#unsent.delete(unsent)
    }
    return sum <= limit
  }
}
