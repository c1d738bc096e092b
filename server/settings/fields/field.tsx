import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Message } from '../components/message.tsx'
import type { FieldValue } from './field-values.ts'
import type { FormField } from './form-field.ts'

/** What the control of a field gets. */
export type ControlProps = {
  readonly field: FormField
  readonly value: FieldValue
  readonly error?: string | undefined
  readonly isFirst?: boolean
  readonly onChange: (value: FieldValue) => void
}

type FieldProps = {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly children: (attributes: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': boolean
  }) => ComponentChildren
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
          <Message text={hint} />
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
