import type { ComponentChildren } from 'preact'
import { Field } from './field.tsx'

type LinesFieldProps = {
  readonly label: string
  readonly hint: ComponentChildren
  readonly error?: string | undefined
  readonly required?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field for several names or patterns, one per line. It grows with its content. `listLines` reads the value. */
export function LinesField({ label, hint, error, required = false, value, onChange }: LinesFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          {...control}
          rows={Math.min(Math.max(value.split('\n').length, 2), 8)}
          value={value}
          required={required}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
