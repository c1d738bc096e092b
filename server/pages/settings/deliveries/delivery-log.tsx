import type { Delivery, DeliveryState as State } from '@floe/contract'
import { useCallback, useState } from 'preact/hooks'
import type { Receiver } from '../receiver.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryState, stateNames } from './delivery-state.tsx'
import { Replay } from './replay.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { Select } from '../parts/field.tsx'
import { useFloe } from '../floe.ts'
import { Moment } from '../parts/moment.tsx'
import { Pages } from '../parts/pages.tsx'
import { usePolling } from '../parts/use-polling.ts'

/** Which page of the log is shown. Without members: the newest page, of all receivers. */
export type DeliverySelection = {
  readonly receiver?: string
  readonly state?: State
  /** Only deliveries older than this one. */
  readonly before?: string
}

type DeliveryLogProps = {
  readonly receivers: readonly Receiver[]
  readonly selection: DeliverySelection
  readonly onSelect: (selection: DeliverySelection) => void
}

/** Names the receivers that are administered on another page: both logs have the deliveries to all receivers of a repository. */
const elsewhere = {
  repository: 'a receiver of the organisation',
  organisation: 'a receiver of the repository',
} as const

const pollMs = 5_000
/** Deliveries on a page. */
const limit = 20

export function DeliveryLog({ receivers, selection, onSelect }: DeliveryLogProps) {
  const { place } = useFloe()
  const { data, isCurrent, error, refresh } = usePolling(
    useCallback((signal) => place.deliveries.listPage({ limit, ...selection }, { signal }), [place, selection]),
    pollMs,
  )
  const [opened, setOpened] = useState<Delivery>()
  const { before, ...newest } = selection
  const aliases = new Map(receivers.map(({ id, alias }) => [id, alias]))
  const nameReceiver = ({ receiver_id }: Delivery) => aliases.get(receiver_id) ?? elsewhere[place.noun]
  return (
    <section class="part" aria-labelledby="deliveries">
      <LogHead receivers={receivers} selection={selection} onSelect={onSelect} onReplay={refresh} />
      {!isCurrent && <FailureNote error={error} />}
      {data?.items.length === 0 && <p class="empty">{explainEmptyLog(selection)}</p>}
      <ul class="deliveries">
        {data?.items.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            alias={nameReceiver(delivery)}
            onOpen={() => setOpened(delivery)}
          />
        ))}
      </ul>
      {data && (
        <Pages
          of="deliveries"
          before={before}
          next={isCurrent ? data.next : undefined}
          onTurn={(page) => onSelect({ ...newest, ...(page && { before: page }) })}
        />
      )}
      {opened !== undefined && (
        <DeliveryDialog
          id={opened.id}
          alias={nameReceiver(opened)}
          onChange={refresh}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  )
}

/** The heading and the filters, and the replay to the webhook that is selected in them. */
function LogHead({ onReplay, ...filters }: DeliveryLogProps & { readonly onReplay: () => void }) {
  const { receivers, selection } = filters
  const webhook = receivers.find(({ kind, id }) => kind === 'webhook' && id === selection.receiver)
  return (
    <>
      <div class="part-head">
        <h2 id="deliveries" tabIndex={-1}>
          Deliveries
        </h2>
        <Filters {...filters} />
      </div>
      {webhook && <Replay key={webhook.id} webhook={webhook} onChange={onReplay} />}
    </>
  )
}

/** Filters the log by receiver, state or both, and returns to its newest page. */
function Filters({ receivers, selection, onSelect }: DeliveryLogProps) {
  const { receiver = '', state = '' } = selection
  const aliases = Object.fromEntries(receivers.map(({ id, alias }) => [id, alias]))
  const select = (to: string, inState: State | '') =>
    onSelect({ ...(to !== '' && { receiver: to }), ...(inState !== '' && { state: inState }) })
  return (
    <div class="filters">
      <label>
        To <Select options={aliases} none="all" value={receiver} onChange={(chosen) => select(chosen, state)} />
      </label>
      <label>
        State <Select options={stateNames} none="any" value={state} onChange={(chosen) => select(receiver, chosen)} />
      </label>
    </div>
  )
}

function explainEmptyLog({ receiver, state, before }: DeliverySelection): string {
  if (before !== undefined) return 'No older deliveries.'
  if (receiver !== undefined || state !== undefined) return 'No deliveries match.'
  return 'Nothing sent yet. The next event is sent to every enabled webhook and chat that selects it.'
}

type DeliveryRowProps = { readonly delivery: Delivery; readonly alias: string; readonly onOpen: () => void }

function DeliveryRow({ delivery, alias, onOpen }: DeliveryRowProps) {
  const { line, created_at, last_attempt } = delivery
  return (
    <li>
      <DeliveryState delivery={delivery} />
      <button type="button" class="link" onClick={onOpen}>
        <span>{line}</span>
      </button>
      <span class="recipient">{alias}</span>
      <span class="answer">{last_attempt && (last_attempt.status ?? 'no answer')}</span>
      <span class="when">
        <Moment at={created_at} />
      </span>
    </li>
  )
}
