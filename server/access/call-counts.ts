import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Stopwatch } from '../timing.ts'

type Count = { readonly start: number; readonly calls: number }

/** Callers who are counted at the same time. Above this, those without a request for longest are forgotten. */
const maxCounted = 10_000

/** Makes a place for the counts of a rate limit. The plugin's own place measures with the clock of the system, which can be set. */
export function makeCallCounts(elapsed: Stopwatch): FastifyRateLimitStoreCtor {
  return class CallCounts implements FastifyRateLimitStore {
    readonly #counts = new LRUCache<string, Count>({ max: maxCounted })

    incr(...[key, callback, windowMs]: Parameters<FastifyRateLimitStore['incr']>): void {
      const now = elapsed()
      const before = this.#counts.get(key)
      const isOver = before === undefined || before.start + windowMs <= now
      const count: Count = isOver ? { start: now, calls: 1 } : { ...before, calls: before.calls + 1 }
      this.#counts.set(key, count)
      callback(null, { current: count.calls, ttl: count.start + windowMs - now })
    }

    child(): FastifyRateLimitStore {
      return new CallCounts()
    }
  }
}
