import type { DeliveryState } from '@floe/contract'
import type { Configuration } from '../receivers/receiver.ts'
import type { DeliverySelection } from './delivery-log.tsx'
import { stateNames } from './delivery-state.tsx'

type DeliveryFilterProps = {
  readonly configurations: readonly Configuration[]
  readonly selection: DeliverySelection
  readonly onSelect: (selection: DeliverySelection) => void
}

/** Narrows the log to one receiver, to one state, or to both; begins at the newest again. */
export function DeliveryFilter({ configurations, selection, onSelect }: DeliveryFilterProps) {
  const { configuration, state } = selection
  const select = (to: string, inState: string) =>
    onSelect({ ...(to !== '' && { configuration: to }), ...(isState(inState) && { state: inState }) })
  return (
    <div class="filters">
      <label>
        To{' '}
        <select value={configuration ?? ''} onChange={(event) => select(event.currentTarget.value, state ?? '')}>
          <option value="">all</option>
          {configurations.map(({ id, alias }) => (
            <option key={id} value={id}>
              {alias}
            </option>
          ))}
        </select>
      </label>
      <label>
        State{' '}
        <select value={state ?? ''} onChange={(event) => select(configuration ?? '', event.currentTarget.value)}>
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
