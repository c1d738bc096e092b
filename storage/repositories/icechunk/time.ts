/**
 * The instants that a text stands for, from the first to the last, in microseconds since 1970-01-01 UTC, as Icechunk
 * stores times.
 */
export type TimeSpan = { readonly first: bigint; readonly last: bigint }

/** What {@link parseTime} accepts, for messages. */
export const timeForms =
  'a date such as 2026-11-18, or a date and a time such as 2026-11-18T06:00Z or 2026-11-18T06:00:00.123+02:00'

const date = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const hourAndMinute = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`
const second = String.raw`:([0-5]\d)(?:\.(\d{1,9}))?`
const form = new RegExp(`^(${date})(?:T(${hourAndMinute})(?:${second})?(Z|[+-]${hourAndMinute})?)?$`)

/**
 * Parses a date or a time of RFC 3339; undefined if the text is neither. Seconds and their fraction may be left out; so
 * may the zone, which then is UTC. A date without a time is its start. Floe writes times in milliseconds, so a time
 * stands for its whole millisecond, unless it has more digits; those after the sixth are ignored.
 */
export function parseTime(text: string): TimeSpan | undefined {
  const [, date = '', time = '00:00', second = '00', fraction = '', zone = 'Z'] = form.exec(text) ?? []
  // Date.parse takes the 30th of February for the 2nd of March.
  if (date === '' || !isDay(date)) return undefined
  const milliseconds = Date.parse(`${date}T${time}:${second}${zone}`)
  const first = BigInt(milliseconds) * 1_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  return { first, last: fraction.length > 3 ? first : first + 999n }
}

function isDay(date: string): boolean {
  return new Date(`${date}T00:00Z`).toISOString().startsWith(date)
}
