// When a failed delivery is tried again: twelve attempts over about 75 hours.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds from the end of attempt n to attempt n + 1. */
const delaysMs: readonly number[] = [
  ...[5, 30].map((seconds) => seconds * second),
  ...[2, 10, 30].map((minutes) => minutes * minute),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
]

/** Each delay varies by a fifth, so that deliveries that failed together are not retried together. */
const jitter = 0.2

/** Longest delay that a receiver may request. */
const maxRetryAfterMs = 24 * hour

/** Number of attempts of a delivery. */
export const maxAttempts = delaysMs.length + 1

/**
 * Decides how long to wait after a failed attempt, in milliseconds; undefined when it was the last attempt.
 *
 * @param attempt number of the failed attempt, from 1
 * @param retryAfter the response's `Retry-After`; it can delay the next attempt, but not bring it forward
 * @param now when the attempt failed, in milliseconds since 1970
 * @param random like `Math.random`
 */
export function planWait(
  attempt: number,
  retryAfter: string | undefined,
  now: number,
  random: () => number,
): number | undefined {
  const delayMs = delaysMs[attempt - 1]
  if (delayMs === undefined) return undefined
  const spreadMs = delayMs * (1 - jitter + 2 * jitter * random())
  const requestedMs = Math.min(parseRetryAfter(retryAfter, now) ?? 0, maxRetryAfterMs)
  return Math.round(Math.max(spreadMs, requestedMs))
}

/**
 * Reads seconds or a date (RFC 9110, 10.2.3; three forms of dates in 5.6.7) as milliseconds from `now`; undefined when
 * it is neither.
 */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * second
  // The third form, asctime, is in UTC but does not say so.
  const date = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(value) ? `${value} GMT` : value
  const time = date.endsWith(' GMT') ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? undefined : time - now
}
