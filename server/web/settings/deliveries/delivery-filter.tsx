import type { DeliveryState } from '@floe/contract'
import type { Receiver } from '../receivers/receiver.ts'
import type { DeliverySelection } from './delivery-log.tsx'
import { stateNames } from './delivery-state.tsx'

type DeliveryFilterProps = {
  readonly receivers: readonly Receiver[]
  readonly selection: DeliverySelection
  readonly onSelect: (selection: DeliverySelection) => void
}

/** Narrows the log to one receiver, to one state, or to both; begins at the newest again. */
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
