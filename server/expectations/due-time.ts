// The moments at which something is due: a time of day on some days of the week, in UTC.
import { type Weekday, weekdays } from '@floe/contract/lists'

const dayMs = 86_400_000

/** When something is due: `07:30`, and the days; null for every day. */
type Schedule = { readonly due: string | null; readonly days: readonly Weekday[] | null }

/** Finds the first moment after a time, in milliseconds since 1970, at which something is due. */
export function findDueTime({ due, days }: Schedule, after: number): Date {
  const [hours = 0, minutes = 0] = (due ?? '').split(':').map(Number)
  const today = Math.floor(after / dayMs) * dayMs
  const moments = Array.from({ length: 8 }, (_, day) => new Date(today + day * dayMs + (hours * 60 + minutes) * 60_000))
  // `Date` counts days from Sunday.
  const isDue = (moment: Date) => (days ?? weekdays).some((day) => day === weekdays[(moment.getUTCDay() + 6) % 7])
  const next = moments.find((moment) => moment.getTime() > after && isDue(moment))
  if (next === undefined) throw new TypeError(`nothing is due at ${due} on ${days?.join(', ')}`)
  return next
}
