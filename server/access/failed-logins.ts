// Slows down callers who guess keys. Valid keys never get here, so other people's guesses cannot lock anybody out.
import { normalizeIP } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Timing } from '../timing.ts'
import { RequestProblem } from '../problems/request-problem.ts'

/** Failures are counted for this time after the first one, in milliseconds. */
const windowMs = 60_000

/** Failures within the window that are answered without delay. */
const freeFailures = { ofAddress: 20, ofOrg: 200 } as const

/** Each further failure is delayed by this much more, in milliseconds, up to `maxDelayMs`. */
const delayStepMs = 50

/** Longest delay of an answer, in milliseconds. */
const maxDelayMs = 1_000

/** Answers that may be delayed at the same time. */
const maxWaiting = 1_000

/** Most addresses with a count, and most organisations. Beyond this, those whose last failure is oldest are forgotten. */
const maxCounted = 10_000

/** Callers choose the name of the organisation; only this many characters of it are kept. */
const maxNameLength = 100

/** Counts wrong credentials and delays the answers when there are too many. */
export class FailedLogins {
  readonly #after: Timing['after']
  readonly #ofAddress: LRUCache<string, number>
  readonly #ofOrg: LRUCache<string, number>
  #waiting = 0

  constructor({ elapsed, after }: Pick<Timing, 'elapsed' | 'after'>) {
    const makeCounts = () =>
      new LRUCache<string, number>({ max: maxCounted, ttl: windowMs, ttlResolution: 0, perf: { now: elapsed } })
    this.#after = after
    this.#ofAddress = makeCounts()
    this.#ofOrg = makeCounts()
  }

  /**
   * Counts one failure and waits until it may be answered. IPv6 addresses are counted by their /64 network.
   *
   * @throws RequestProblem `too-many-requests` when too many answers are delayed already
   */
  async slowDown(org: string, address: string): Promise<void> {
    const ofAddress = increase(this.#ofAddress, normalizeIP(address))
    const ofOrg = increase(this.#ofOrg, org.slice(0, maxNameLength))
    const excess = Math.max(ofAddress - freeFailures.ofAddress, ofOrg - freeFailures.ofOrg)
    if (excess <= 0) return
    if (this.#waiting >= maxWaiting) {
      throw new RequestProblem('too-many-requests', 'Too many requests with wrong credentials: try again later', {
        headers: { 'retry-after': String(maxDelayMs / 1_000) },
      })
    }
    this.#waiting++
    await new Promise<void>((resolve) => void this.#after(Math.min(excess * delayStepMs, maxDelayMs), resolve))
    this.#waiting--
  }
}

function increase(counts: LRUCache<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count, { noUpdateTTL: true })
  return count
}
