// Counts calls of callers within a window of time. One process counts for itself; replicas exchange their counts (shared-counts.ts).
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Stopwatch } from '../timing.ts'

/** The calls of one caller. Times are those of the stopwatch. */
type Count = {
  endsAt: number
  /** In all replicas, as far as they are known here. */
  calls: number
  /** Those that the other replicas have not been told of. */
  untold: number
}

/** Calls of a caller that are new, or known in all replicas together, and for how many milliseconds they still count. */
export type CallsOf = { readonly name: string; readonly calls: number; readonly leftMs: number }

/** Callers who are counted at the same time. Above this, those without a request for longest are forgotten. */
export const maxCallers = 10_000

/** Counts of one kind of call. A window begins with the first call of a caller. Durations are not measured with a clock that can be set. */
export class CallCounts {
  readonly #windowMs: number
  readonly #elapsed: Stopwatch
  readonly #counts = new LRUCache<string, Count>({ max: maxCallers })

  constructor(windowMs: number, elapsed: Stopwatch) {
    this.#windowMs = windowMs
    this.#elapsed = elapsed
  }

  /** Counts a call; returns the calls in this window, and how many milliseconds of it are left. */
  count(name: string): { readonly calls: number; readonly leftMs: number } {
    const now = this.#elapsed()
    const count = this.#find(name, now) ?? { endsAt: now + this.#windowMs, calls: 0, untold: 0 }
    count.calls++
    count.untold++
    this.#counts.set(name, count)
    // A sum and a difference of fractions can be a little more than the window, which callers would be told as a second more.
    return { calls: count.calls, leftMs: Math.min(count.endsAt - now, this.#windowMs) }
  }

  /** Calls in this window so far. */
  read(name: string): number {
    return this.#find(name, this.#elapsed())?.calls ?? 0
  }

  /** Takes the calls that the other replicas have not been told of. */
  takeUntold(): CallsOf[] {
    const now = this.#elapsed()
    const taken: CallsOf[] = []
    for (const [name, count] of this.#counts) {
      if (count.untold === 0 || count.endsAt <= now) continue
      taken.push({ name, calls: count.untold, leftMs: count.endsAt - now })
      count.untold = 0
    }
    return taken
  }

  /** Gives back calls that could not be told, so that they are told later. */
  giveBack({ name, calls }: CallsOf): void {
    const count = this.#find(name, this.#elapsed())
    if (count !== undefined) count.untold += calls
  }

  /** Learns the calls of all replicas. */
  learn({ name, calls, leftMs }: CallsOf): void {
    const now = this.#elapsed()
    const untold = this.#find(name, now)?.untold ?? 0
    this.#counts.set(name, { endsAt: now + leftMs, calls: calls + untold, untold })
  }

  #find(name: string, now: number): Count | undefined {
    const count = this.#counts.get(name)
    return count !== undefined && count.endsAt > now ? count : undefined
  }
}

/** Makes a store for the rate limits of Fastify out of counts. The plugin's own store measures with a clock that can be set. */
export function makeRateLimitStore(counts: CallCounts): FastifyRateLimitStoreCtor {
  return class RateLimitStore implements FastifyRateLimitStore {
    incr(...[key, callback]: Parameters<FastifyRateLimitStore['incr']>): void {
      const { calls, leftMs } = counts.count(key)
      callback(null, { current: calls, ttl: leftMs })
    }

    child(): FastifyRateLimitStore {
      return this
    }
  }
}
