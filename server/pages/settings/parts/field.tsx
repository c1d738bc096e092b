import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

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

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const describedBy = [errorId, hintId].filter((name) => name !== undefined).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error !== undefined })}
      {error && (
        <p id={errorId} class="field-error">
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
