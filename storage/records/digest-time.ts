import type { EventFilter } from '@floe/contract/lists'

const dayMs = 86_400_000

/** The day of a weekly digest, as `Date.getUTCDay` numbers it. */
const monday = 1

/**
 * Finds when a receiver is sent what happens now and can wait.
 *
 * @returns null for at once
 */
export function findDigestTime({ quiet, digest }: Pick<EventFilter, 'quiet' | 'digest'>, now: Date): Date | null {
  if (digest !== null) return findNext(digest.at, now, digest.every === 'week' ? monday : null)
  if (quiet === null) return null
  const end = findNext(quiet.to, now, null)
  // These are quiet hours if they end before others begin.
  return end < findNext(quiet.from, now, null) ? end : null
}

/** Finds the next time of day after `now`, on a day of the week or on any. */
function findNext(time: string, now: Date, weekday: number | null): Date {
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T${time}Z`)
  const next = today > now.getTime() ? today : today + dayMs
  const days = weekday === null ? 0 : (weekday - new Date(next).getUTCDay() + 7) % 7
  return new Date(next + days * dayMs)
}
