// The controls that select which events a webhook or chat gets.
import type { EventName } from '@floe/contract'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Field, FieldError } from '../parts/field.tsx'
import type { Kind } from '../receiver.ts'
import type { ReceiverFormState } from './use-receiver-form.ts'

type FieldsProps = { readonly state: ReceiverFormState }

export function FilterFields({ kind, state }: FieldsProps & { readonly kind: Kind }) {
  const { values, set } = state
  return (
    <>
      <EventsField state={state} />
      {values.repos !== undefined && (
        <PatternsField state={state} label="Repositories" name="repos">
          Events of repositories with these names are sent. One pattern per line, such as <code>forecast-*</code>;{' '}
          <code>**</code> is every repository, including those that appear later.
        </PatternsField>
      )}
      <PatternsField state={state} label="Branches" name="branches">
        Events of these branches are sent. One pattern per line, such as <code>release/*</code>; <code>*</code> stands
        for any characters except <code>/</code>, <code>**</code> for any. Tags are sent whatever they point to.
      </PatternsField>
      <PatternsField state={state} label="Paths" name="paths">
        NewCommit is sent if a group or array with such a path changed, or if that cannot be told. One pattern per line:{' '}
        <code>forecast/**</code> is the group forecast and everything below it, <code>**</code> is everything.
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

const explanations: Readonly<Record<EventName, string>> = {
  NewCommit: 'The head of a branch moved.',
  BranchCreated: 'A branch was created.',
  BranchDeleted: 'A branch was deleted.',
  TagCreated: 'A tag was created.',
  TagDeleted: 'A tag was deleted.',
  ReceiverDisabled: 'Floe disabled another webhook or chat.',
  ReceiverFailing: 'Another webhook or chat failed three times in a row.',
  RepositoryUnreadable: 'A repository could not be read for a minute.',
  RepositoryBack: 'It can be read again.',
}

// The keys of an object of this type are its members.
const names = Object.keys(explanations) as EventName[]

/** Only receivers of an organisation can select these. */
const notices: ReadonlySet<EventName> = new Set([
  'ReceiverDisabled',
  'ReceiverFailing',
  'RepositoryUnreadable',
  'RepositoryBack',
])

function EventsField({ state: { values, errors, set } }: FieldsProps) {
  const errorId = useId()
  const error = errors['events']
  const offered = values.repos === undefined ? names.filter((name) => !notices.has(name)) : names
  const select = (name: EventName, isSelected: boolean) =>
    set({ events: names.filter((one) => (one === name ? isSelected : values.events.includes(one))) })
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
            {name} <small>{explanations[name]}</small>
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
  const text = values[name] ?? ''
  return (
    <Field label={label} hint={children} error={errors[name]}>
      {(props) => (
        <textarea
          {...props}
          rows={Math.min(Math.max(text.split('\n').length, 2), 8)}
          value={text}
          required
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => set({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}
