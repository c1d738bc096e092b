import type { Delivery } from '@floe/contract'
import { Badge } from '../parts/badge.tsx'
import { Upcoming } from '../parts/moment.tsx'

export const stateNames = {
  pending: 'Pending',
  held: 'Held',
  delivered: 'Delivered',
  dead: 'Given up',
  discarded: 'Discarded',
} as const

const tones = { pending: 'waiting', held: 'off', delivered: 'good', dead: 'bad', discarded: 'off' } as const

/** The state of a delivery. One that failed says when it is tried again. */
export function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  const { state, attempt_count, next_attempt_at } = delivery
  if (state !== 'pending' || attempt_count === 0) return <Badge tone={tones[state]}>{stateNames[state]}</Badge>
  return (
    <Badge tone="bad">
      Failed, retry {next_attempt_at === null ? 'in a moment' : <Upcoming at={next_attempt_at} />}
    </Badge>
  )
}
