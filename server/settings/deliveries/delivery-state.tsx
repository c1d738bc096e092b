import type { Delivery, DeliveryState as State } from '@floe/client'
import { Badge } from '../components/badge.tsx'
import { Upcoming } from '../components/moment.tsx'

/** The states of a delivery for people. */
export const stateNames = {
  pending: 'Pending',
  held: 'Held',
  delivered: 'Delivered',
  dead: 'Given up',
  discarded: 'Discarded',
} satisfies Record<State, string>

const tones = {
  pending: 'waiting',
  held: 'off',
  delivered: 'good',
  dead: 'bad',
  discarded: 'off',
} as const satisfies Record<State, string>

/** The state of a delivery. After a failed attempt it says when the next one is, and before
 * the first, when its digest is. */
export function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  const { attempt_count, next_attempt_at } = delivery
  const state = delivery.state as State // The service that answers has served the page, and knows the same states.
  if (state === 'pending' && attempt_count === 0 && next_attempt_at !== null)
    return (
      <Badge tone={tones.pending}>
        In a digest <Upcoming at={next_attempt_at} />
      </Badge>
    )
  if (state !== 'pending' || attempt_count === 0) return <Badge tone={tones[state]}>{stateNames[state]}</Badge>
  return (
    <Badge tone="bad">
      Failed, retry {next_attempt_at === null ? 'in a moment' : <Upcoming at={next_attempt_at} />}
    </Badge>
  )
}
