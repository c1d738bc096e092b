import { useId } from 'preact/hooks'
import type { EventName } from './form-values.ts'

type EventsFieldProps = {
  readonly selected: readonly EventName[]
  readonly error: string | undefined
  readonly onChange: (selected: readonly EventName[]) => void
}

const choices: readonly { readonly event: EventName; readonly hint: string }[] = [
  { event: 'NewCommit', hint: 'Sent when the head of main moves.' },
]

/** Which events are sent. */
export function EventsField({ selected, error, onChange }: EventsFieldProps) {
  const errorId = useId()
  return (
    <fieldset class="choices">
      <legend>Events</legend>
      {choices.map(({ event, hint }) => (
        <label key={event}>
          <input
            type="checkbox"
            checked={selected.includes(event)}
            aria-invalid={error !== undefined}
            aria-describedby={error ? errorId : undefined}
            onChange={({ currentTarget: { checked } }) => onChange(toggle(selected, event, checked))}
          />
          <span>
            {event} <small>{hint}</small>
          </span>
        </label>
      ))}
      {error && (
        <p id={errorId} class="field-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function toggle(selected: readonly EventName[], event: EventName, isSelected: boolean): readonly EventName[] {
  const others = selected.filter((one) => one !== event)
  return isSelected ? [...others, event] : others
}
