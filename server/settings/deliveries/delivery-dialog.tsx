import type { DeliveryAttempt, DeliveryDetails } from '@floe/client'
import { useCallback, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Exchange } from '../components/exchange.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { useSettings } from '../settings-context.ts'
import { Moment } from '../components/moment.tsx'
import { useAction } from '../hooks/use-action.ts'
import { usePolling } from '../hooks/use-polling.ts'

type DeliveryDialogProps = {
  readonly id: string
  /** Name of the receiver. */
  readonly receiver: string
  readonly onChange: () => void
  readonly onClose: () => void
}

const pollMs = 2_000

/** One delivery with its attempts, and a button that sends it again. */
export function DeliveryDialog({ id, receiver, onChange, onClose }: DeliveryDialogProps) {
  const { scope } = useSettings()
  const { data, error, refresh } = usePolling(
    useCallback((signal) => scope.deliveries.get({ id }, { signal }), [scope, id]),
    pollMs,
  )
  const redelivery = useAction()
  const [outcome, setOutcome] = useState('')
  const redeliver = () =>
    redelivery.run(async () => {
      setOutcome('')
      await scope.deliveries.redeliver({ id })
      setOutcome('It will be sent again.')
      refresh()
      onChange()
    })
  return (
    <Dialog title="Delivery" size="large" onClose={onClose}>
      {data === undefined && <FailureNote error={error} />}
      {data && <Details delivery={data} receiver={receiver} />}
      <FailureNote error={redelivery.error} />
      <div class="dialog-actions">
        <Button isBusy={redelivery.isBusy || data === undefined} onClick={redeliver}>
          Redeliver
        </Button>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
        <p role="status">{outcome}</p>
      </div>
    </Dialog>
  )
}

type DetailsProps = { readonly delivery: DeliveryDetails; readonly receiver: string }

function Details({ delivery, receiver }: DetailsProps) {
  const { branch, tag } = delivery.payload.details
  return (
    <div class="delivery">
      <p class="line">{delivery.line}</p>
      <DeliveryState delivery={delivery} />
      <dl class="facts">
        <dt>To</dt>
        <dd>{receiver}</dd>
        <dt>Recorded</dt>
        <dd>
          <Moment at={delivery.created_at} />
        </dd>
        <dt>Event</dt>
        <dd>
          {delivery.event}, number {delivery.sequence}
        </dd>
        <RefFact name="Branch" value={branch} />
        <RefFact name="Tag" value={tag} />
        <dt>Id</dt>
        <dd>
          <code>{delivery.id}</code>
        </dd>
        {delivery.digest_id !== null && (
          <>
            <dt>In the digest</dt>
            <dd>
              <code>{delivery.digest_id}</code>
            </dd>
          </>
        )}
      </dl>
      <h3>Attempts</h3>
      <AttemptList attempts={delivery.attempts} />
      <details>
        <summary>Payload</summary>
        <pre tabIndex={0} aria-label="Payload">
          {JSON.stringify(delivery.payload, null, 2)}
        </pre>
      </details>
    </div>
  )
}

/** The branch or tag that the event is about. An event has at most one of them. */
function RefFact({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (typeof value !== 'string') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function AttemptList({ attempts }: { readonly attempts: readonly DeliveryAttempt[] }) {
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
