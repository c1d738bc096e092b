// Counts the calls of each caller within a minute. Each process counts separately.
import { LRUCache } from 'lru-cache'
import type { Stopwatch } from '../../timing.ts'

/** How long a call counts, in milliseconds. */
export const windowMs = 60_000

/** The calls of one caller. `endsAt` is a time of the stopwatch. */
type Count = { readonly endsAt: number; calls: number }

/** Maximum number of callers that are counted at the same time. The least recent callers are dropped. */
export const maxCallers = 10_000

/**
 * Counts one kind of call. The minute of a caller begins with its first call, and is measured with a monotonic clock.
 */
export class CallCounts {
  readonly #elapsed: Stopwatch
  readonly #counts = new LRUCache<string, Count>({ max: maxCallers })

  constructor(elapsed: Stopwatch) {
    this.#elapsed = elapsed
  }

  /** Counts a call; returns the calls in this minute, and the milliseconds until the minute ends. */
  count(name: string): { readonly calls: number; readonly leftMs: number } {
    const now = this.#elapsed()
    const count = this.#find(name, now) ?? { endsAt: now + windowMs, calls: 0 }
    count.calls++
    this.#counts.set(name, count)
    // A rounding error could make this longer than a minute, and headers would then say 61 seconds.
    return { calls: count.calls, leftMs: Math.min(count.endsAt - now, windowMs) }
  }

  /** Returns the calls in this minute so far. */
  read(name: string): number {
    return this.#find(name, this.#elapsed())?.calls ?? 0
  }

  #find(name: string, now: number): Count | undefined {
    const count = this.#counts.get(name)
    return count !== undefined && count.endsAt > now ? count : undefined
  }
}
