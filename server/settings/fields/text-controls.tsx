import { type ControlProps, Field } from './field.tsx'
import type { ControlName } from './form-field.ts'

/** The types of inputs by controls. Others are plain texts. */
const types: { readonly [Control in ControlName]?: string } = {
  url: 'url',
  number: 'number',
  time: 'datetime-local',
  secret: 'password',
}

/** An input of one line, with the limits of its field. */
export function TextControl({ field, value, error, isFirst = false, onChange }: ControlProps) {
  const { control, label, hint, isRequired, minLength, maxLength, min, max, isWhole } = field
  const limits = control === 'number' ? { min, max, step: isWhole ? 1 : 'any' } : { minLength, maxLength }
  // The declarations of Preact want a single type, and not one of several.
  const type = (types[control] ?? 'text') as 'text'
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          {...limits}
          type={type}
          placeholder={control === 'url' ? 'https://…' : undefined}
          required={isRequired === true}
          value={value ?? ''}
          autocomplete={control === 'secret' ? 'new-password' : 'off'}
          spellcheck={false}
          autofocus={isFirst}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A field for several texts, one per line. It grows with its content. */
export function LinesControl({ field: { control, label, hint, isRequired }, value, error, onChange }: ControlProps) {
  const text = value ?? ''
  const [minRows, maxRows] = control === 'document' ? [10, 10] : [2, 8]
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={Math.min(Math.max(text.split('\n').length, minRows), maxRows)}
          value={text}
          required={isRequired === true}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** The document of a contract as text, and a field that replaces it with a file. */
export function DocumentControl({ field, value, error, onChange }: ControlProps) {
  const hint = 'JSON, as `floe contract` writes it. Delete what nobody relies on.'
  return (
    <>
      <LinesControl field={{ ...field, hint }} value={value} error={error} onChange={onChange} />
      <Field label={`${field.label} from a file`}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => void currentTarget.files?.[0]?.text().then(onChange)}
          />
        )}
      </Field>
    </>
  )
}
