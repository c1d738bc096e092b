import type { DeliveryState } from '@floe/contract'
import { Select } from '../parts/field.tsx'
import type { Receiver } from '../receiver.ts'
import { stateNames } from './delivery-state.tsx'

/** Which page of the log is shown. Without members: the newest page, of all receivers. */
export type DeliverySelection = {
  readonly receiver?: string
  readonly state?: DeliveryState
  /** Only deliveries older than this one. */
  readonly before?: string
}

type DeliveryFilterProps = {
  readonly receivers: readonly Receiver[]
  readonly selection: DeliverySelection
  readonly onSelect: (selection: DeliverySelection) => void
}

/** Filters the log by receiver, state or both, and returns to its newest page. */
export function DeliveryFilter({ receivers, selection, onSelect }: DeliveryFilterProps) {
  const { receiver = '', state = '' } = selection
  const aliases = Object.fromEntries(receivers.map(({ id, alias }) => [id, alias]))
  const select = (to: string, inState: DeliveryState | '') =>
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
