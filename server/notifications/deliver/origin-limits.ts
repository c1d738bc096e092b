// How many attempts may be in flight to one origin (host and port). The limit grows while the host answers quickly and well, and shrinks when
// it does not (additive increase, multiplicative decrease, as TCP does it). Chat services have one host for thousands of receivers.
import type { AttemptOutcome } from '@floe/storage/database'

/** The limit of a host that is not known, and the least for any: one that hangs takes no more. */
const leastInFlight = 16

/** The most for any host. `receiver-agent.ts` opens as many connections. */
const mostInFlight = 256

/** An answer within this time is quick, in milliseconds. */
const quickMs = 1_000

/** A limit that grew is forgotten after this time without attempts, in milliseconds, because the host may have changed. */
const memoryMs = 60_000

type Origin = { inFlight: number; limit: number; endedAt: number }

/** Room for further attempts by origin, and at the origins that are not listed. */
type OriginRooms = { readonly ofOthers: number; readonly byOrigin: ReadonlyMap<string, number> }

/** The limits of all origins. Times are milliseconds of any clock. */
export class OriginLimits {
  readonly #origins = new Map<string, Origin>()

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
  release(name: string, now: number, outcome?: Pick<AttemptOutcome, 'status' | 'durationMs'>): void {
    const origin = this.#origins.get(name)
    if (origin === undefined) return
    const { inFlight, limit } = origin
    const verdict = outcome && judge(outcome)
    // Answers to a few attempts do not show how the host bears many. This adds at most the least limit with each round of answers.
    if (verdict === 'good' && 4 * inFlight >= limit) {
      origin.limit = Math.min(limit + leastInFlight / limit, mostInFlight)
    }
    if (verdict === 'bad') origin.limit = Math.max(limit / 2, leastInFlight)
    origin.inFlight = inFlight - 1
    origin.endedAt = now
  }
}

/** A quick refusal is neither: it is about one receiver, not about the host. */
function judge({ status, durationMs }: Pick<AttemptOutcome, 'status' | 'durationMs'>): 'good' | 'bad' | undefined {
  if (status === null || status === 429 || status >= 500 || durationMs > quickMs) return 'bad'
  return status >= 200 && status < 300 ? 'good' : undefined
}
