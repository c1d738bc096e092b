import { Field } from '../parts/field.tsx'
import type { FormValues } from './form-values.ts'

type SecretTokenFieldProps = {
  readonly values: FormValues
  /** Whether a token is stored. It can be kept, replaced or removed, but never shown. */
  readonly isStored: boolean
  /** Whether the URL now has another scheme, host, port or path. The service then drops a stored token. */
  readonly isDropped: boolean
  readonly error: string | undefined
  readonly onChange: (changed: Partial<FormValues>) => void
}

const choices = [
  { token: 'keep', text: 'Keep' },
  { token: 'replace', text: 'Replace' },
  { token: 'none', text: 'Remove' },
] as const

/** The secret token of a webhook. The service never shows a stored one. */
export function SecretTokenField({ values, isStored, isDropped, error, onChange }: SecretTokenFieldProps) {
  const input = (
    <TokenInput
      value={values.secretToken}
      error={error}
      onInput={(secretToken) =>
        onChange(isStored ? { secretToken } : { secretToken, token: secretToken === '' ? 'none' : 'replace' })
      }
    />
  )
  if (!isStored) return input
  return (
    <>
      <fieldset class="choices inline">
        <legend>Stored Secret Token</legend>
        {choices.map(({ token, text }) => (
          <label key={token}>
            <input type="radio" name="token" checked={values.token === token} onChange={() => onChange({ token })} />
            {text}
          </label>
        ))}
      </fieldset>
      {isDropped && values.token === 'keep' && (
        <p class="hint" role="status">
          You changed the host, port or path of the Webhook URL. A test is therefore sent without the stored token, and
          saving removes it. Choose Replace to set a token for the new URL.
        </p>
      )}
      {values.token === 'replace' && input}
    </>
  )
}

type TokenInputProps = {
  readonly value: string
  readonly error: string | undefined
  readonly onInput: (value: string) => void
}

function TokenInput({ value, error, onInput }: TokenInputProps) {
  return (
    <Field
      label="Secret Token"
      hint="Optional. Sent in the header X-Secret-Token, for receivers that cannot check signatures."
      error={error}
    >
      {(props) => (
        <input
          {...props}
          type="password"
          value={value}
          autocomplete="new-password"
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
