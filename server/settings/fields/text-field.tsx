import { Field } from './field.tsx'

type TextFieldProps = Pick<Parameters<typeof Field>[0], 'label' | 'hint' | 'error'> & {
  readonly value: string
  readonly isRequired?: boolean
  readonly onChange: (value: string) => void
}

/** A field for a name or another short text. */
export function TextField({ label, hint, error, value, isRequired = false, onChange }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          value={value}
          required={isRequired}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
