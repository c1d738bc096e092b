import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Message } from '../components/message.tsx'

type ControlProps = {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

type FieldProps = {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly children: (props: ControlProps) => ComponentChildren
}

/** A labelled control, with a hint and an error message. `children` renders the control with the given attributes. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const describedBy = [errorId, hintId].filter((name) => name !== undefined).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error !== undefined })}
      <FieldError id={errorId} error={error} />
      {hint && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

type FieldErrorProps = { readonly id?: string | undefined; readonly error: string | undefined }

/** The message that a value is wrong. */
export function FieldError({ id, error }: FieldErrorProps) {
  return (
    error && (
      <p id={id} class="field-error">
        <Message text={error} />
      </p>
    )
  )
}

type SelectProps<Value extends string> = {
  readonly options: Readonly<Record<Value, string>>
  /** Text of the option for no value; without it, there is no such option. */
  readonly none?: string | undefined
  readonly value: Value | ''
  readonly onChange: (value: Value | '') => void
}

/** A drop-down list. Further attributes go to the `<select>`. */
export function Select<Value extends string>({ options, none, value, onChange, ...attributes }: SelectProps<Value>) {
  const values = Object.keys(options) as Value[] // the type of `options` has exactly these keys
  return (
    <select
      {...attributes}
      value={value}
      onChange={({ currentTarget }) => onChange(values.find((option) => option === currentTarget.value) ?? '')}
    >
      {none !== undefined && <option value="">{none}</option>}
      {values.map((option) => (
        <option key={option} value={option}>
          {options[option]}
        </option>
      ))}
    </select>
  )
}

type ChoicesProps<Value extends string> = {
  readonly legend: string
  readonly options: readonly { readonly value: Value; readonly text: string; readonly hint?: string }[]
  readonly value: Value
  readonly isInline?: boolean
  readonly onChange: (value: Value) => void
}

/** Radio buttons: one of a few values, each with a text. */
export function Choices<Value extends string>({ legend, options, value, isInline, onChange }: ChoicesProps<Value>) {
  return (
    <fieldset class={isInline ? 'choices inline' : 'choices'}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={legend} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span>
            {option.text} {option.hint && <small>{option.hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
