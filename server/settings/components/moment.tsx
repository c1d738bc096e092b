import { useContext } from 'preact/hooks'
import { NowContext } from '../hooks/now-context.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Below this distance, in milliseconds, the text is `just now` or `in a moment`. */
const briefMs = 5_000

const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const absoluteFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

type MomentProps = { readonly at: string }

/** How long ago an instant was; hovering shows the instant itself. */
export function Moment({ at }: MomentProps) {
  const elapsedMs = Math.max(0, useContext(NowContext) - Date.parse(at))
  return <Instant at={at} text={elapsedMs < briefMs ? 'just now' : formatDistance(-elapsedMs)} />
}

/** How long it is until an instant; hovering shows the instant itself. */
export function Upcoming({ at }: MomentProps) {
  const remainingMs = Date.parse(at) - useContext(NowContext)
  return <Instant at={at} text={remainingMs < briefMs ? 'in a moment' : formatDistance(remainingMs)} />
}

function Instant({ at, text }: MomentProps & { readonly text: string }) {
  return (
    <time dateTime={at} title={absoluteFormat.format(new Date(at))}>
      {text}
    </time>
  )
}

function formatDistance(distanceMs: number): string {
  const [unit, size] = units.find(([, size]) => Math.abs(distanceMs) >= size) ?? units[3]
  return relativeFormat.format(Math.trunc(distanceMs / size), unit)
}
