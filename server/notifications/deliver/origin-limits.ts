// How many attempts may be in flight to one origin (host and port). The limit grows while the host answers quickly and
// well, and shrinks when it does not (additive increase, multiplicative decrease, as TCP does it). Chat services have
// one host for thousands of receivers, so organisations share the attempts to it.
import type { AttemptOutcome, ClaimedDelivery, ClaimOptions } from '@floe/storage/database'
import { FairShares } from '@floe/storage/waiting'

/** The limit of an unknown host, and the lowest limit: a host that hangs occupies no more attempts. */
const leastInFlight = 32

/** The highest limit. `receiver-agent.ts` opens as many connections to an origin. */
const mostInFlight = 256

/** An answer within this time is quick, in milliseconds. */
const quickMs = 1_000

/**
 * A limit that grew is forgotten after this time without attempts, in milliseconds, because the host may have changed.
 */
const memoryMs = 60_000

/** `shares`: the attempts in flight, by organisation. */
type Origin = { readonly shares: FairShares; limit: number; endedAt: number }

/** The origin and the organisation of an attempt. */
type Attempted = Pick<ClaimedDelivery, 'origin'> & { readonly receiver: Pick<ClaimedDelivery['receiver'], 'org'> }

type Outcome = Pick<AttemptOutcome, 'status' | 'durationMs' | 'error'>

/** The limits of all origins. Times are milliseconds of any clock. */
export class OriginLimits {
  readonly #origins = new Map<string, Origin>()

  /** Measures how many attempts may begin now. */
  measureRooms(now: number): ClaimOptions['origins'] {
    const byOrigin = new Map<string, ReturnType<FairShares['measureRoom']>>()
    for (const [name, { shares, limit, endedAt }] of this.#origins) {
      if (shares.taken === 0 && (limit === leastInFlight || now - endedAt > memoryMs)) this.#origins.delete(name)
      else byOrigin.set(name, shares.measureRoom())
    }
    return { ofOthers: makeOrigin(now).shares.measureRoom(), byOrigin }
  }

  /** Call this when an attempt begins. */
  take({ origin: name, receiver }: Attempted, now: number): void {
    const origin = this.#origins.get(name) ?? makeOrigin(now)
    origin.shares.take(receiver.org)
    this.#origins.set(name, origin)
  }

  /** Call this when the attempt has ended; without an outcome, if it says nothing about the host. */
  release({ origin: name, receiver }: Attempted, now: number, outcome?: Outcome): void {
    const origin = this.#origins.get(name)
    if (origin === undefined) return
    const { shares, limit } = origin
    const response = outcome && classify(outcome)
    // A few answers say little about how the host copes with load, so the limit grows only while at least a quarter of
    // it is in use. It grows by at most `leastInFlight` with each round of answers.
    if (response === 'good' && 4 * shares.taken >= limit) {
      origin.limit = Math.min(limit + leastInFlight / limit, mostInFlight)
    }
    if (response === 'bad') origin.limit = Math.max(limit / 2, leastInFlight)
    shares.release(receiver.org)
    origin.endedAt = now
  }
}

function makeOrigin(now: number): Origin {
  const origin: Origin = { shares: new FairShares(() => Math.floor(origin.limit)), limit: leastInFlight, endedAt: now }
  return origin
}

/** Says how well the host copes. A quick refusal does not show it: it is about one receiver, not about the host. */
function classify({ status, durationMs, error }: Outcome): 'good' | 'bad' | undefined {
  if (status === null || status === 429 || status >= 500 || durationMs > quickMs) return 'bad'
  return error === null ? 'good' : undefined
}
