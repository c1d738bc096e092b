// Counts calls of callers within a minute. Each process counts for itself.
import { LRUCache } from 'lru-cache'
import type { Stopwatch } from '../../timing.ts'

/** How long a call counts, in milliseconds. */
export const windowMs = 60_000

/** The calls of one caller. `endsAt` is a time of the stopwatch. */
type Count = { readonly endsAt: number; calls: number }

/** Callers who are counted at the same time. Above this, the least recent callers are dropped. */
export const maxCallers = 10_000

/** Counts one kind of call. A window begins with the first call of a caller, and is measured with a monotonic clock. */
export class CallCounts {
  readonly #elapsed: Stopwatch
  readonly #counts = new LRUCache<string, Count>({ max: maxCallers })

  constructor(elapsed: Stopwatch) {
    this.#elapsed = elapsed
  }

  /** Counts a call; returns the calls in this window, and the milliseconds until the window ends. */
  count(name: string): { readonly calls: number; readonly leftMs: number } {
    const now = this.#elapsed()
    const count = this.#find(name, now) ?? { endsAt: now + windowMs, calls: 0 }
    count.calls++
    this.#counts.set(name, count)
    // Rounding errors can make the rest longer than the window, and headers would then say one second more.
    return { calls: count.calls, leftMs: Math.min(count.endsAt - now, windowMs) }
  }

  /** Calls in this window so far. */
  read(name: string): number {
    return this.#find(name, this.#elapsed())?.calls ?? 0
  }

  #find(name: string, now: number): Count | undefined {
    const count = this.#counts.get(name)
    return count !== undefined && count.endsAt > now ? count : undefined
  }
}
