import { Field } from '../fields/field.tsx'

type DocumentFieldsProps = {
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
}

/** The document of a contract as text, and a field that replaces it with a file. */
export function DocumentFields({ text, error, onText }: DocumentFieldsProps) {
  return (
    <>
      <Field
        label="Contract"
        hint={
          <>
            JSON, as <code>floe contract</code> writes it. Delete what nobody relies on.
          </>
        }
        error={error}
      >
        {(control) => (
          <textarea
            {...control}
            rows={10}
            value={text}
            required
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Contract from a file">
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => void currentTarget.files?.[0]?.text().then(onText)}
          />
        )}
      </Field>
    </>
  )
}
