// Figures that several gauges of a scrape take from one read of the database.
import { limitTime } from '@floe/storage/waiting'

/** Longest read, in milliseconds. Prometheus waits 10 s for a scrape, and one that fails ends all series. */
const maxReadMs = 5_000

/** The database has not answered in time for a scrape. */
class SlowReadError extends Error {
  override name = 'SlowReadError'
}

/** What was read last. Undefined before the first answer. `isCurrent`: it was read now. */
type Shared<Value> = { readonly value: Value | undefined; readonly isCurrent: boolean }

/**
 * Makes a function whose callers share a read while it is under way, so that all gauges of a scrape need one. While the
 * database does not answer, they get its last answer: an alert must not end because nobody knows.
 *
 * @param onError called when it does not answer. Default: nothing, because `floe_database_up` shows it
 */
export function shareReads<Value>(
  read: () => Promise<Value>,
  onError: (error: unknown) => void = () => {},
): () => Promise<Shared<Value>> {
  let pending: Promise<Shared<Value>> | undefined
  let last: Value | undefined
  const share = async (): Promise<Shared<Value>> => {
    try {
      const slow = () => new SlowReadError(`the database did not answer within ${maxReadMs} ms`)
      last = await limitTime(maxReadMs, new AbortController().signal, slow, read)
      return { value: last, isCurrent: true }
    } catch (error) {
      onError(error)
      return { value: last, isCurrent: false }
    } finally {
      pending = undefined
    }
  }
  return () => (pending ??= share())
}

export function secondsSince(date: Date | null, now: () => number): number {
  return date === null ? 0 : Math.max(now() - date.getTime(), 0) / 1_000
}
