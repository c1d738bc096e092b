import type { Receiver } from '@floe/client'
import { Badge } from '../components/badge.tsx'
import { Moment } from '../components/moment.tsx'

/** Says whether a receiver is healthy, failing, disabled or unused so far. */
export function ReceiverState({ receiver }: { readonly receiver: Receiver }) {
  const { enabled, disabled_reason, failing_since, last_error, last_success_at, held } = receiver
  return (
    <>
      {statusBadge(receiver)}
      {disabled_reason !== null && <p>{disabled_reason}</p>}
      {enabled && last_error !== null && <p class="failure">{last_error}</p>}
      {enabled && failing_since !== null && (
        <p>
          First failed <Moment at={failing_since} />
        </p>
      )}
      {last_success_at !== null && (
        <p>
          Last delivered <Moment at={last_success_at} />
        </p>
      )}
      {held > 0 && <p class="held">{held === 1 ? '1 delivery is held' : `${held} deliveries are held`}</p>}
    </>
  )
}

function statusBadge({ enabled, failing_since, last_success_at }: Receiver) {
  if (!enabled) return <Badge tone="off">Disabled</Badge>
  if (failing_since !== null) return <Badge tone="bad">Failing</Badge>
  if (last_success_at !== null) return <Badge tone="good">Healthy</Badge>
  return <Badge tone="waiting">Nothing sent yet</Badge>
}
