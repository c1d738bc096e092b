import type { Delivery, DeliveryState as State } from '@floe/client'
import { useCallback, useState } from 'preact/hooks'
import type { Receiver } from '../receiver.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryRates } from './delivery-rates.tsx'
import { DeliveryState, stateNames } from './delivery-state.tsx'
import { Replay } from './replay.tsx'
import { FailureNote } from '../components/failure-note.tsx'
import { Select } from '../fields/field.tsx'
import { useSettings } from '../settings-context.ts'
import type { SettingsScope } from '../settings-scope.ts'
import { Moment } from '../components/moment.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { usePolling } from '../hooks/use-polling.ts'

/** Which page of the log is shown. An empty query is the newest page of the deliveries to all receivers. */
export type DeliveryQuery = {
  readonly receiver?: string
  readonly state?: State
  /** Cursor of the page: only deliveries older than this one. */
  readonly before?: string
}

type DeliveryLogProps = {
  readonly receivers: readonly Receiver[]
  readonly query: DeliveryQuery
  readonly onQuery: (query: DeliveryQuery) => void
}

const pollMs = 5_000
/** Deliveries on a page. */
const limit = 20

/** The deliveries, newest first, with filters and pages. */
export function DeliveryLog({ receivers, query, onQuery }: DeliveryLogProps) {
  const { scope } = useSettings()
  const { data, isCurrent, error, refresh } = usePolling(
    useCallback((signal) => scope.deliveries.listPage({ limit, ...query }, { signal }), [scope, query]),
    pollMs,
  )
  const [opened, setOpened] = useState<Delivery>()
  const { before, ...newest } = query
  return (
    <section class="part" aria-labelledby="deliveries">
      <LogHead receivers={receivers} query={query} onQuery={onQuery} onReplay={refresh} />
      {!isCurrent && <FailureNote error={error} />}
      {data?.items.length === 0 && <p class="empty">{explainEmptyLog(query)}</p>}
      <ul class="deliveries">
        {data?.items.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setOpened(delivery)} />
        ))}
      </ul>
      {data && (
        <PageButtons
          of="deliveries"
          before={before}
          next={isCurrent ? data.next : undefined}
          onTurn={(cursor) => onQuery({ ...newest, ...(cursor && { before: cursor }) })}
        />
      )}
      {opened !== undefined && (
        <DeliveryDialog
          id={opened.id}
          receiver={nameReceiver(opened, scope)}
          onChange={refresh}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  )
}

/** The heading with the filters; and the replay, when the filters select a webhook. */
function LogHead({ onReplay, ...filters }: DeliveryLogProps & { readonly onReplay: () => void }) {
  const { receivers, query } = filters
  const webhook = receivers.find(({ kind, id }) => kind === 'webhook' && id === query.receiver)
  return (
    <>
      <div class="part-head">
        <h2 id="deliveries" tabIndex={-1}>
          Deliveries
        </h2>
        <Filters {...filters} />
      </div>
      <DeliveryRates />
      {webhook && <Replay key={webhook.id} webhook={webhook} onChange={onReplay} />}
    </>
  )
}

/** Filters the log by receiver, state or both, and returns to its newest page. */
function Filters({ receivers, query, onQuery }: DeliveryLogProps) {
  const { receiver = '', state = '' } = query
  const aliases = Object.fromEntries(receivers.map(({ id, alias }) => [id, alias]))
  const filter = (chosen: { readonly receiver: string; readonly state: State | '' }) =>
    onQuery({
      ...(chosen.receiver !== '' && { receiver: chosen.receiver }),
      ...(chosen.state !== '' && { state: chosen.state }),
    })
  return (
    <div class="filters">
      <label>
        To{' '}
        <Select
          options={aliases}
          none="all"
          value={receiver}
          onChange={(chosen) => filter({ receiver: chosen, state })}
        />
      </label>
      <label>
        State{' '}
        <Select
          options={stateNames}
          none="any"
          value={state}
          onChange={(chosen) => filter({ receiver, state: chosen })}
        />
      </label>
    </div>
  )
}

function explainEmptyLog({ receiver, state, before }: DeliveryQuery): string {
  if (before !== undefined) return 'No older deliveries.'
  if (receiver !== undefined || state !== undefined) return 'No deliveries match.'
  return 'Nothing sent yet. The next event is sent to every enabled webhook and chat that selects it.'
}

/** Names the receiver of a delivery. The log of an organisation also has those to receivers of repositories. */
function nameReceiver(delivery: Delivery, { kind }: Pick<SettingsScope, 'kind'>): string {
  const { receiver_alias, receiver_repo_name } = delivery
  if (kind === 'repository' || receiver_repo_name === null) return receiver_alias
  return `${receiver_alias} of ${receiver_repo_name}`
}

type DeliveryRowProps = { readonly delivery: Delivery; readonly onOpen: () => void }

function DeliveryRow({ delivery, onOpen }: DeliveryRowProps) {
  const { scope } = useSettings()
  const { line, created_at, last_attempt } = delivery
  return (
    <li>
      <DeliveryState delivery={delivery} />
      <button type="button" class="link" onClick={onOpen}>
        <span>{line}</span>
      </button>
      <span class="recipient">{nameReceiver(delivery, scope)}</span>
      <span class="answer">{last_attempt && (last_attempt.status ?? 'no answer')}</span>
      <span class="when">
        <Moment at={created_at} />
      </span>
    </li>
  )
}
