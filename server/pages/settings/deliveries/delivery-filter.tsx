import type { DeliveryState } from '@floe/contract'
import type { Receiver } from '../receiver-form/receiver.ts'
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

/** Limits the log to one receiver, one state, or both, and goes back to its newest page. */
export function DeliveryFilter({ receivers, selection, onSelect }: DeliveryFilterProps) {
  const { receiver, state } = selection
  const select = (to: string, inState: string) =>
    onSelect({ ...(to !== '' && { receiver: to }), ...(isState(inState) && { state: inState }) })
  return (
    <div class="filters">
      <label>
        To{' '}
        <select value={receiver ?? ''} onChange={(event) => select(event.currentTarget.value, state ?? '')}>
          <option value="">all</option>
          {receivers.map(({ id, alias }) => (
            <option key={id} value={id}>
              {alias}
            </option>
          ))}
        </select>
      </label>
      <label>
        State{' '}
        <select value={state ?? ''} onChange={(event) => select(receiver ?? '', event.currentTarget.value)}>
          <option value="">any</option>
          {Object.entries(stateNames).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function isState(value: string): value is DeliveryState {
  return Object.hasOwn(stateNames, value)
}
