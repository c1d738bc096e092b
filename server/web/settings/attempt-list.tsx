import type { DeliveryAttempt } from '@floe/contract'
import { Exchange } from './exchange.tsx'
import { Moment } from './moment.tsx'

/** The requests of a delivery, newest first. */
export function AttemptList({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
  if (attempts.length === 0) return <p class="note">None yet.</p>
  return (
    <ol class="attempts">
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.number}>
          <Exchange {...attempt}>
            , attempt {attempt.number}, <Moment at={attempt.started_at} />
          </Exchange>
        </li>
      ))}
    </ol>
  )
}
