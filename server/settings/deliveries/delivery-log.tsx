import type { Delivery, DeliveryState as State, Receiver } from '@floe/client'
import { deliveryStates } from '@floe/contract/lists'
import { useCallback, useState } from 'preact/hooks'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryRates } from './delivery-rates.tsx'
import { DeliveryState, stateNames } from './delivery-state.tsx'
import { Replay } from './replay.tsx'
import { Select } from '../fields/choice-controls.tsx'
import { useSettings } from '../settings-context.ts'
import type { SettingsScope } from '../settings-scope.ts'
import { Moment } from '../components/moment.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { usePages } from '../hooks/use-pages.ts'

/** Which deliveries are listed. An empty query is all of them. */
export type DeliveryQuery = {
  readonly receiver?: string
  readonly state?: State
  /** Whether those of the organisation's webhooks and chats about the repository are listed too. */
  readonly isOfEverybody?: boolean
}

/** Stands for everybody in the choice of a receiver. */
const everybody = 'everybody'

type DeliveryLogProps = {
  readonly receivers: readonly Receiver[]
  readonly query: DeliveryQuery
  readonly onQuery: (query: DeliveryQuery) => void
}

/** The deliveries, newest first, with filters and pages. */
export function DeliveryLog({ receivers, query, onQuery }: DeliveryLogProps) {
  const { scope } = useSettings()
  const { items, refresh, ...pages } = usePages(
    useCallback(
      (page, call) => {
        const { isOfEverybody = false, ...filter } = query
        const listPage = (isOfEverybody && scope.listEveryDelivery) || scope.deliveries.listPage
        return listPage({ ...filter, ...page }, call)
      },
      [scope, query],
    ),
  )
  const [opened, setOpened] = useState<Delivery>()
  return (
    <section class="part" aria-labelledby="deliveries">
      <LogHead receivers={receivers} query={query} onQuery={onQuery} onReplay={refresh} />
      {items?.length === 0 && <p class="empty">{explainEmptyLog(query, pages.before)}</p>}
      <ul class="deliveries">
        {items?.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setOpened(delivery)} />
        ))}
      </ul>
      <PageButtons of="deliveries" pages={pages} />
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

/** Filters the log by receiver, state or both. */
function Filters({ receivers, query, onQuery }: DeliveryLogProps) {
  const { scope } = useSettings()
  const { receiver, state, isOfEverybody = false } = query
  const names = receivers.map(({ id, alias }) => ({ value: id, text: alias }))
  const all = scope.listEveryDelivery ? [{ value: everybody, text: 'all, also of the organisation' }] : []
  const chooseReceiver = (chosen: string) => {
    const receivedBy = chosen === everybody ? { isOfEverybody: true } : chosen ? { receiver: chosen } : {}
    onQuery({ ...receivedBy, ...(state && { state }) })
  }
  return (
    <div class="filters">
      <label>
        To{' '}
        <Select
          options={[...all, ...names]}
          none="all"
          value={isOfEverybody ? everybody : (receiver ?? '')}
          onChange={chooseReceiver}
        />
      </label>
      <label>
        State{' '}
        <Select
          options={deliveryStates.map((value) => ({ value, text: stateNames[value] }))}
          none="any"
          value={state ?? ''}
          onChange={(chosen) => {
            const known = deliveryStates.find((value) => value === chosen)
            onQuery({ ...(receiver && { receiver }), ...(known && { state: known }), isOfEverybody })
          }}
        />
      </label>
    </div>
  )
}

function explainEmptyLog({ receiver, state }: DeliveryQuery, before: string | undefined): string {
  if (before !== undefined) return 'No older deliveries.'
  if (receiver !== undefined || state !== undefined) return 'No deliveries match.'
  return 'Nothing sent yet. The next event is sent to every enabled webhook and chat that selects it.'
}

/** Names the receiver of a delivery, and its owner if that is not the owner of the page. */
function nameReceiver(delivery: Delivery, { kind }: Pick<SettingsScope, 'kind'>): string {
  const { receiver_alias, receiver_repo_name } = delivery
  if ((kind === 'organisation') === (receiver_repo_name === null)) return receiver_alias
  return `${receiver_alias} of ${receiver_repo_name ?? 'the organisation'}`
}

type DeliveryRowProps = { readonly delivery: Delivery; readonly onOpen: () => void }

function DeliveryRow({ delivery, onOpen }: DeliveryRowProps) {
  const { scope } = useSettings()
  const { line, created_at, last_attempt, receiver_repo_name } = delivery
  // Its details belong to the administrators of the organisation.
  const isForeign = scope.kind === 'repository' && receiver_repo_name === null
  return (
    <li>
      <DeliveryState delivery={delivery} />
      {isForeign ? (
        <span class="line">{line}</span>
      ) : (
        <button type="button" class="link" onClick={onOpen}>
          <span>{line}</span>
        </button>
      )}
      <span class="recipient">{nameReceiver(delivery, scope)}</span>
      <span class="answer">{last_attempt && (last_attempt.status ?? 'no answer')}</span>
      <span class="when">
        <Moment at={created_at} />
      </span>
    </li>
  )
}
