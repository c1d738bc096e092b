// The controls of what a webhook's requests carry and the service never shows: the Secret Token and the headers.
import { Choices, Field } from '../fields/field.tsx'
import { LinesField } from '../fields/lines-field.tsx'
import { dropsStoredSecrets, type StoredSecret } from './form-values.ts'
import type { ReceiverFormState } from './use-receiver-form.ts'

type FieldsProps = { readonly state: ReceiverFormState }

export function SecretTokenField({ state }: FieldsProps) {
  const { values, errors, saved, set } = state
  const { token, secretToken } = values
  const isStored = saved?.receiver.kind === 'webhook' && saved.receiver.has_secret_token
  return (
    <>
      {isStored && (
        <StoredChoices legend="Stored Secret Token" state={state} value={token} onChange={(token) => set({ token })} />
      )}
      {(!isStored || token === 'replace') && (
        <Field
          label="Secret Token"
          hint="Optional. Sent in the header X-Secret-Token, for receivers that cannot check signatures."
          error={errors['secret_token']}
        >
          {(props) => (
            <input
              {...props}
              type="password"
              value={secretToken}
              autocomplete="new-password"
              onInput={({ currentTarget: { value } }) =>
                set({ secretToken: value, ...(!isStored && { token: value === '' ? 'none' : 'replace' }) })
              }
            />
          )}
        </Field>
      )}
    </>
  )
}

export function HeadersField({ state }: FieldsProps) {
  const { values, errors, saved, set } = state
  const { headers, headerLines } = values
  const names = saved?.receiver.kind === 'webhook' ? saved.receiver.header_names : []
  const isStored = names.length > 0
  return (
    <>
      {isStored && (
        <StoredChoices
          legend={`Stored headers: ${names.join(', ')}`}
          state={state}
          value={headers}
          onChange={(headers) => set({ headers })}
        />
      )}
      {(!isStored || headers === 'replace') && (
        <LinesField
          label="Headers"
          hint={
            <>
              Optional. Sent with each request, for a gateway in front of the receiver. One per line, such as{' '}
              <code>Authorization: Bearer …</code>. The values are not shown again.
            </>
          }
          error={errors['headers']}
          value={headerLines}
          onChange={(lines) =>
            set({ headerLines: lines, ...(!isStored && { headers: lines.trim() === '' ? 'none' : 'replace' }) })
          }
        />
      )}
    </>
  )
}

const choices = [
  { value: 'keep', text: 'Keep' },
  { value: 'replace', text: 'Replace' },
  { value: 'none', text: 'Remove' },
] as const

type StoredChoicesProps = FieldsProps & {
  readonly legend: string
  readonly value: StoredSecret
  readonly onChange: (value: StoredSecret) => void
}

/** The service never shows stored secrets. They can be kept, replaced or removed. */
function StoredChoices({ legend, state: { values, saved }, value, onChange }: StoredChoicesProps) {
  const isDropped = saved !== undefined && dropsStoredSecrets(values.url, saved.receiver.url)
  return (
    <>
      <Choices legend={legend} options={choices} value={value} isInline onChange={onChange} />
      {isDropped && value === 'keep' && (
        <p class="hint" role="status">
          You changed the host, port or path of the Webhook URL. A test is therefore sent without what is stored here,
          and saving removes it. Choose Replace to set it for the new URL.
        </p>
      )}
    </>
  )
}
