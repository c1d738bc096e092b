import { useId } from 'preact/hooks'
import { Message } from '../components/message.tsx'
import { type ControlProps, Field, FieldError } from './field.tsx'
import type { FormOption } from './form-field.ts'
import { listLines } from './list-lines.ts'

type SelectProps = {
  readonly options: readonly FormOption[]
  /** Text of the option for no value; without it, there is no such option. */
  readonly none?: string | undefined
  readonly value: string
  readonly autofocus?: boolean
  readonly onChange: (value: string) => void
}

/** A drop-down list. Further attributes go to the `<select>`. */
export function Select({ options, none, value, onChange, ...attributes }: SelectProps) {
  return (
    <select {...attributes} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  )
}

/** One of many options, in a drop-down list. */
export function SelectControl({ field, value, error, isFirst = false, onChange }: ControlProps) {
  const { label, hint, options = [], none } = field
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <Select
          {...attributes}
          options={options}
          none={none}
          value={value ?? ''}
          autofocus={isFirst}
          onChange={onChange}
        />
      )}
    </Field>
  )
}

type ChoicesProps = Omit<ControlProps, 'isFirst'> & { readonly isInline?: boolean }

/** Radio buttons for one of a few options, or checkboxes for several, below the headings of their groups. */
export function ChoicesControl({ field, value, error, isInline = false, onChange }: ChoicesProps) {
  const { control, label, hint, options = [] } = field
  const id = useId()
  const errorId = `${id}-error`
  const isSeveral = control === 'checkboxes'
  const chosen = listLines(value ?? '')
  const choose = (option: string, isChosen: boolean) => {
    const values = options.map((other) => other.value)
    const others = values.filter((other) => (other === option ? isChosen : chosen.includes(other)))
    onChange(isSeveral ? others.join('\n') : option)
  }
  const type = isSeveral ? 'checkbox' : 'radio'
  const rest = { type, name: id, chosen, choose, errorId: error === undefined ? undefined : errorId } as const
  const groups = [...new Set(options.map(({ group }) => group))]
  return (
    <fieldset class={`choices ${isSeveral ? 'short' : ''} ${isInline ? 'inline' : ''}`}>
      <legend>{label}</legend>
      {groups.map((group) => {
        const choices = options
          .filter((option) => option.group === group)
          .map((option) => <Choice key={option.value} option={option} {...rest} />)
        if (group === undefined) return choices
        return (
          <fieldset key={group} class={`choices ${isSeveral ? 'short' : ''}`}>
            <legend>{group}</legend>
            {choices}
          </fieldset>
        )
      })}
      <FieldError id={errorId} error={error} />
      {hint && (
        <p class="hint">
          <Message text={hint} />
        </p>
      )}
    </fieldset>
  )
}

type ChoiceProps = {
  readonly option: FormOption
  readonly type: 'checkbox' | 'radio'
  readonly name: string
  readonly chosen: readonly string[]
  readonly choose: (option: string, isChosen: boolean) => void
  readonly errorId: string | undefined
}

function Choice({ option: { value, text, hint }, type, name, chosen, choose, errorId }: ChoiceProps) {
  return (
    <label>
      <input
        type={type}
        name={name}
        checked={chosen.includes(value)}
        aria-invalid={errorId !== undefined}
        aria-describedby={errorId}
        onChange={({ currentTarget }) => choose(value, currentTarget.checked)}
      />
      <span>
        {text} {hint && <small>{hint}</small>}
      </span>
    </label>
  )
}

/** Whether something holds. */
export function CheckboxControl({ field: { label, hint }, value, onChange }: ControlProps) {
  return (
    <div class="choices">
      <label>
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? 'true' : '')}
        />
        <span>
          {label} <small>{hint && <Message text={hint} />}</small>
        </span>
      </label>
    </div>
  )
}
