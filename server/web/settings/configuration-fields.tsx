import type { Kind } from './configuration.ts'
import { serviceNames } from './configuration.ts'
import { Field } from './field.tsx'
import { isElsewhere } from './form-values.ts'
import { SecretTokenField } from './secret-token-field.tsx'
import type { ConfigurationFormState } from './use-configuration-form.ts'

type FieldsProps = { readonly state: ConfigurationFormState }

/** The controls of the form. */
export function ConfigurationFields({ kind, state }: FieldsProps & { readonly kind: Kind }) {
  const { values, errors, saved, set } = state
  return (
    <>
      {kind === 'webhook' ? <WebhookUrlField state={state} /> : <ChatUrlField state={state} />}
      {kind === 'chat' && <ServiceField state={state} />}
      <Field
        label="Name"
        hint="What people know it by. Each name is there once in a repository."
        error={errors['alias']}
      >
        {(props) => (
          <input
            {...props}
            value={values.alias}
            required
            autocomplete="off"
            onInput={(event) => set({ alias: event.currentTarget.value })}
          />
        )}
      </Field>
      {kind === 'webhook' && (
        <SecretTokenField
          values={values}
          isStored={saved?.configuration.kind === 'webhook' && saved.configuration.has_secret_token}
          isDropped={saved !== undefined && isElsewhere(values.url, saved.configuration.url)}
          error={errors['secret_token']}
          onChange={set}
        />
      )}
    </>
  )
}

function WebhookUrlField({ state: { values, errors, set } }: FieldsProps) {
  return (
    <Field
      label="Address"
      hint="Receives a POST with a JSON body each time the head of main moves. https only."
      error={errors['url']}
    >
      {(props) => (
        <input
          {...props}
          type="url"
          inputMode="url"
          required
          value={values.url}
          placeholder="https://example.org/hook"
          autocomplete="off"
          spellcheck={false}
          autofocus
          onInput={(event) => set({ url: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

function ChatUrlField({ state: { values, errors, saved, set } }: FieldsProps) {
  return (
    <Field
      label={saved ? 'New address' : 'Address'}
      hint={
        saved
          ? `It is a secret and not shown again. Leave this empty to keep ${saved.configuration.url}`
          : 'The address of an incoming webhook, made in the settings of the chat. It is kept secret.'
      }
      error={errors['url']}
    >
      {(props) => (
        <input
          {...props}
          type="url"
          inputMode="url"
          required={!saved}
          value={values.url}
          placeholder="https://hooks.slack.com/services/…"
          autocomplete="off"
          spellcheck={false}
          autofocus
          onInput={(event) => set({ url: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

function ServiceField({ state: { values, errors, saved, set } }: FieldsProps) {
  return (
    <Field label="Kind of chat" error={errors['service']}>
      {(props) => (
        <select
          {...props}
          value={values.service}
          onChange={({ currentTarget: { value } }) => set({ service: isService(value) ? value : '' })}
        >
          {!saved && <option value="">Told by the address</option>}
          {Object.entries(serviceNames).map(([service, name]) => (
            <option key={service} value={service}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function isService(value: string): value is keyof typeof serviceNames {
  return Object.hasOwn(serviceNames, value)
}
