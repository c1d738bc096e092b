// How many attempts may be in flight to one origin (host and port). The limit grows while the host answers quickly and
// well, and shrinks when it does not (additive increase, multiplicative decrease, as TCP does it). Chat services have
// one host for thousands of receivers.
import type { AttemptOutcome } from '@floe/storage/database'

/** The limit of an unknown host, and the lowest limit: a host that hangs occupies no more attempts. */
const leastInFlight = 16

/** The highest limit. `receiver-agent.ts` opens as many connections to an origin. */
const mostInFlight = 256

/** An answer within this time is quick, in milliseconds. */
const quickMs = 1_000

/**
 * A limit that grew is forgotten after this time without attempts, in milliseconds, because the host may have changed.
 */
const memoryMs = 60_000

type Origin = { inFlight: number; limit: number; endedAt: number }

/** Free attempts by origin, and at the origins that are not listed. */
type OriginRooms = { readonly ofOthers: number; readonly byOrigin: ReadonlyMap<string, number> }

/** The limits of all origins. Times are milliseconds of any clock. */
export class OriginLimits {
  readonly #origins = new Map<string, Origin>()

  /** Measures how many attempts may begin now. */
  measureRooms(now: number): OriginRooms {
    const byOrigin = new Map<string, number>()
    for (const [name, { inFlight, limit, endedAt }] of this.#origins) {
      if (inFlight === 0 && (limit === leastInFlight || now - endedAt > memoryMs)) this.#origins.delete(name)
      else byOrigin.set(name, Math.floor(limit) - inFlight)
    }
    return { ofOthers: leastInFlight, byOrigin }
  }

  /** Call this when an attempt begins. */
  take(name: string, now: number): void {
    const origin = this.#origins.get(name) ?? { inFlight: 0, limit: leastInFlight, endedAt: now }
    origin.inFlight += 1
    this.#origins.set(name, origin)
  }

  /** Call this when the attempt has ended; without an outcome, if it says nothing about the host. */
  release(name: string, now: number, outcome?: Pick<AttemptOutcome, 'status' | 'durationMs' | 'error'>): void {
    const origin = this.#origins.get(name)
    if (origin === undefined) return
    const { inFlight, limit } = origin
    const response = outcome && classify(outcome)
    // A few answers say little about how the host copes with load, so the limit grows only while at least a quarter of
    // it is in use. It grows by at most `leastInFlight` with each round of answers.
    if (response === 'good' && 4 * inFlight >= limit) {
      origin.limit = Math.min(limit + leastInFlight / limit, mostInFlight)
    }
    if (response === 'bad') origin.limit = Math.max(limit / 2, leastInFlight)
    origin.inFlight = inFlight - 1
    origin.endedAt = now
  }
}

/** Says how well the host copes. A quick refusal does not show it: it is about one receiver, not about the host. */
function classify({
  status,
  durationMs,
  error,
}: Pick<AttemptOutcome, 'status' | 'durationMs' | 'error'>): 'good' | 'bad' | undefined {
  if (status === null || status === 429 || status >= 500 || durationMs > quickMs) return 'bad'
  return error === null ? 'good' : undefined
}
