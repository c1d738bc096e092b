// The controls that select which events a webhook or chat gets.
import {
  eventDefinitions,
  type EventName,
  eventNames,
  streamedEventNames,
  type ReceiverKind,
} from '@floe/contract/lists'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { FieldError } from '../fields/field.tsx'
import { LinesField } from '../fields/lines-field.tsx'
import type { ReceiverFormState } from './use-receiver-form.ts'

type FieldsProps = { readonly state: ReceiverFormState }

/** Which events a receiver gets: their names, repositories, branches and paths. */
export function FilterFields({ kind, state }: FieldsProps & { readonly kind: ReceiverKind }) {
  const { values, set } = state
  return (
    <>
      <EventsField state={state} />
      {values.repos !== undefined && (
        <PatternsField state={state} label="Repositories" name="repos">
          Only events of matching repositories are sent. One pattern per line, such as <code>forecast-*</code>;{' '}
          <code>**</code> is every repository, including later ones.
        </PatternsField>
      )}
      <PatternsField state={state} label="Branches" name="branches">
        Only events of matching branches are sent; tag events are sent regardless of branch. One pattern per line, such
        as <code>release/*</code>; <code>*</code> stands for any characters except <code>/</code>, <code>**</code> for
        any.
      </PatternsField>
      <PatternsField state={state} label="Paths" name="paths">
        NewCommit is sent if a group or array with a matching path changed, or if the changes are unknown. One pattern
        per line: <code>forecast/**</code> is the group forecast and everything below it, <code>**</code> is everything.
      </PatternsField>
      {kind === 'webhook' && (
        <fieldset class="choices">
          <legend>Payload</legend>
          <label>
            <input
              type="checkbox"
              checked={values.includesChanges}
              onChange={({ currentTarget: { checked } }) => set({ includesChanges: checked })}
            />
            <span>
              Include changed paths <small>Lists the groups and arrays that a commit changed.</small>
            </span>
          </label>
        </fieldset>
      )}
    </>
  )
}

function EventsField({ state: { values, errors, set } }: FieldsProps) {
  const errorId = useId()
  const error = errors['events']
  // Only receivers of an organisation can select notices.
  const offered = values.repos === undefined ? streamedEventNames : eventNames
  const select = (name: EventName, isSelected: boolean) =>
    set({ events: eventNames.filter((other) => (other === name ? isSelected : values.events.includes(other))) })
  return (
    <fieldset class="choices short">
      <legend>Events</legend>
      {offered.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={values.events.includes(name)}
            aria-invalid={error !== undefined}
            aria-describedby={error ? errorId : undefined}
            onChange={({ currentTarget: { checked } }) => select(name, checked)}
          />
          <span>
            {name} <small>{eventDefinitions[name].meaning}.</small>
          </span>
        </label>
      ))}
      <FieldError id={errorId} error={error} />
    </fieldset>
  )
}

type PatternsFieldProps = FieldsProps & {
  readonly label: string
  readonly name: 'repos' | 'branches' | 'paths'
  /** The hint. */
  readonly children: ComponentChildren
}

function PatternsField({ state: { values, errors, set }, label, name, children }: PatternsFieldProps) {
  return (
    <LinesField
      label={label}
      hint={children}
      error={errors[name]}
      required
      value={values[name] ?? ''}
      onChange={(patterns) => set({ [name]: patterns })}
    />
  )
}
