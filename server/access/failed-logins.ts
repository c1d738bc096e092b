// Slows down those who guess keys. Whoever has the right key never comes here, so nobody can be locked out by the guesses of others.
import { normalizeIP } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Timing } from '../timing.ts'
import { RequestProblem } from '../problems/request-problem.ts'

/** Failures are counted within this time from the first one, in milliseconds. */
const windowMs = 60_000

/** So many failures are answered at once. */
const freeFailures = { ofAddress: 20, ofOrg: 200 } as const

/** Each further failure waits this much longer than the one before, in milliseconds... */
const delayStepMs = 50

/** ...up to this. */
const maxDelayMs = 1_000

/** Answers that are held back at the same time. */
const maxWaiting = 1_000

/** Addresses, and organisations, that are counted at the same time; beyond, the ones that were quiet longest are forgotten. */
const maxCounted = 10_000

/** Names come from strangers; what they have beyond this tells none apart. */
const maxNameLength = 100

/** Counts wrong credentials, and holds back the answers to too many of them. */
export class FailedLogins {
  readonly #after: Timing['after']
  readonly #ofAddress: LRUCache<string, number>
  readonly #ofOrg: LRUCache<string, number>
  #waiting = 0

  constructor({ now, after }: Pick<Timing, 'now' | 'after'>) {
    const counts = () =>
      new LRUCache<string, number>({ max: maxCounted, ttl: windowMs, ttlResolution: 0, perf: { now } })
    this.#after = after
    this.#ofAddress = counts()
    this.#ofOrg = counts()
  }

  /**
   * Counts one failure; resolves when it may be answered. Addresses of IPv6 count by their /64 network.
   *
   * @throws RequestProblem `too-many-requests` when too many answers are held back already
   */
  async slowDown(org: string, address: string): Promise<void> {
    const ofAddress = increase(this.#ofAddress, normalizeIP(address))
    const ofOrg = increase(this.#ofOrg, org.slice(0, maxNameLength))
    const excess = Math.max(ofAddress - freeFailures.ofAddress, ofOrg - freeFailures.ofOrg)
    if (excess <= 0) return
    if (this.#waiting >= maxWaiting) {
      throw new RequestProblem('too-many-requests', 'Too many wrong credentials are being answered', {
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
