// The controls that select which events a webhook or chat gets.
import {
  changeVerdicts,
  type ChangeVerdict,
  eventDefinitions,
  eventNames,
  expectationKindNames,
  streamedEventNames,
  type ReceiverKind,
} from '@floe/contract/lists'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Field, FieldError } from '../fields/field.tsx'
import { LinesField } from '../fields/lines-field.tsx'
import { expectationForms } from '../generated/expectation-forms.ts'
import type { ReceiverFormState } from './use-receiver-form.ts'

type FieldsProps = { readonly state: ReceiverFormState }

/** Which events a receiver gets: their names, repositories, branches, paths, search and verdicts. */
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
        NewCommit and SchemaChanged are sent if a group or array with a matching path changed, or if the changes are
        unknown. One pattern per line: <code>forecast/**</code> is the group forecast and everything below it,{' '}
        <code>**</code> is everything.
      </PatternsField>
      {values.search !== undefined && <SearchField state={state} />}
      {expectationEvents.some((name) => values.events.includes(name)) && <KindsField state={state} />}
      {values.events.includes('SchemaChanged') && <VerdictsField state={state} />}
      {kind === 'webhook' && (
        <fieldset class="choices">
          <legend>Payload</legend>
          <label>
            <input
              type="checkbox"
              checked={values.include_changes}
              onChange={({ currentTarget: { checked } }) => set({ include_changes: checked })}
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
  return (
    <ChoicesField
      legend="Events"
      // Only receivers of an organisation can select notices.
      offered={values.repos === undefined ? streamedEventNames : eventNames}
      explain={(name) => `${eventDefinitions[name].meaning}.`}
      selected={values.events}
      error={errors['events']}
      onChange={(events) => set({ events })}
    />
  )
}

const expectationEvents = ['ExpectationUnmet', 'ExpectationMet'] as const

function KindsField({ state: { values, errors, set } }: FieldsProps) {
  return (
    <ChoicesField
      legend="Kinds of expectations"
      offered={expectationKindNames}
      explain={(kind) => `${expectationForms[kind].title}.`}
      selected={values.kinds ?? expectationKindNames}
      error={errors['kinds']}
      // All of them stand for those that come later, too.
      onChange={(kinds) => set({ kinds: kinds.length === expectationKindNames.length ? null : kinds })}
    />
  )
}

const verdictMeanings: Readonly<Record<ChangeVerdict, string>> = {
  breaking: 'Who reads the earlier state cannot read the new one as before.',
  unknown: 'The metadata does not show it.',
  compatible: 'Readers go on as before; every append is compatible.',
}

function VerdictsField({ state: { values, errors, set } }: FieldsProps) {
  return (
    <ChoicesField
      legend="Verdicts of SchemaChanged"
      offered={changeVerdicts}
      explain={(verdict) => verdictMeanings[verdict]}
      selected={values.compatibility}
      error={errors['compatibility']}
      onChange={(compatibility) => set({ compatibility })}
    />
  )
}

type ChoicesFieldProps<Choice extends string> = {
  readonly legend: string
  readonly offered: readonly Choice[]
  readonly explain: (choice: Choice) => string
  readonly selected: readonly Choice[]
  readonly error: string | undefined
  /** Called with the selected choices in the order in which they are offered. */
  readonly onChange: (selected: Choice[]) => void
}

function ChoicesField<Choice extends string>(props: ChoicesFieldProps<Choice>) {
  const { legend, offered, explain, selected, error, onChange } = props
  const errorId = useId()
  const select = (choice: Choice, isSelected: boolean) =>
    onChange(offered.filter((other) => (other === choice ? isSelected : selected.includes(other))))
  return (
    <fieldset class="choices short">
      <legend>{legend}</legend>
      {offered.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={selected.includes(choice)}
            aria-invalid={error !== undefined}
            aria-describedby={error ? errorId : undefined}
            onChange={({ currentTarget: { checked } }) => select(choice, checked)}
          />
          <span>
            {choice} <small>{explain(choice)}</small>
          </span>
        </label>
      ))}
      <FieldError id={errorId} error={error} />
    </fieldset>
  )
}

const searchHint =
  'NewCommit and SchemaChanged are sent if a dataset that the search finds was touched, or if that is unknown. Paste ' +
  'the address of a search page, or write its query, such as q=temperature&units=K. Leave this empty for all commits.'

function SearchField({ state: { values, errors, set } }: FieldsProps) {
  return (
    <Field label="Search" hint={searchHint} error={errors['search']}>
      {(control) => (
        <input
          {...control}
          type="text"
          value={values.search}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => set({ search: currentTarget.value })}
        />
      )}
    </Field>
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
