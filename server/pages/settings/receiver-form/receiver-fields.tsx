import { type Kind, serviceNames } from './receiver.ts'
import { EventsField } from './events-field.tsx'
import { Field } from '../parts/field.tsx'
import { isElsewhere } from './form-values.ts'
import { SecretTokenField } from './secret-token-field.tsx'
import { SigningSecretField } from './signing-secret-field.tsx'
import type { ReceiverFormState } from './use-receiver-form.ts'

type FieldsProps = {
  readonly kind: Kind
  readonly state: ReceiverFormState
  /** Called when the signing secret of a new webhook has been copied. */
  readonly onSecretTaken: () => void
}

/** The controls of the form. */
export function ReceiverFields({ kind, state, onSecretTaken }: FieldsProps) {
  const { values, errors, saved, set } = state
  return (
    <>
      <UrlField kind={kind} state={state} />
      {kind === 'chat' && <ServiceField state={state} />}
      <Field
        label="Alias"
        hint="A name that people recognise. No other webhook or chat of the repository may have it."
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
          isStored={saved?.receiver.kind === 'webhook' && saved.receiver.has_secret_token}
          isDropped={saved !== undefined && isElsewhere(values.url, saved.receiver.url)}
          error={errors['secret_token']}
          onChange={set}
        />
      )}
      <EventsField selected={values.events} error={errors['events']} onChange={(events) => set({ events })} />
      {values.signingSecret !== '' && (
        <SigningSecretField secret={values.signingSecret} error={errors['signing_secret']} onCopy={onSecretTaken} />
      )}
    </>
  )
}

function UrlField({ kind, state: { values, errors, saved, set } }: Omit<FieldsProps, 'onSecretTaken'>) {
  const { label, hint, placeholder } = kind === 'webhook' ? webhookUrl : describeChatUrl(saved?.receiver.url)
  return (
    <Field label={label} hint={hint} error={errors['url']}>
      {(props) => (
        <input
          {...props}
          type="url"
          inputMode="url"
          required={kind === 'webhook' || !saved}
          value={values.url}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          autofocus
          onInput={(event) => set({ url: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

const webhookUrl = {
  label: 'Webhook URL',
  hint: 'Floe sends a POST request with a JSON body to this https address each time the head of main moves.',
  placeholder: 'https://example.org/hook',
}

/** @param savedUrl masked; undefined for a new chat */
function describeChatUrl(savedUrl: string | undefined) {
  const placeholder = 'https://hooks.slack.com/services/…'
  if (savedUrl === undefined) {
    const hint = 'The URL of an incoming webhook, which you create in the settings of the chat. It is kept secret.'
    return { label: 'Webhook URL', hint, placeholder }
  }
  const hint = `The saved URL is secret and cannot be shown. Leave this empty to keep ${savedUrl}`
  return { label: 'New Webhook URL', hint, placeholder }
}

const serviceHint =
  'Where the URL does not tell, the message has the form of Slack, {"text": …}, which most chat servers take. For a Mattermost or ' +
  'Rocket.Chat server of your own, choose it here, so that commit messages mention nobody.'

function ServiceField({ state: { values, errors, saved, set } }: Pick<FieldsProps, 'state'>) {
  return (
    <Field label="Kind of chat" hint={serviceHint} error={errors['service']}>
      {(props) => (
        <select
          {...props}
          value={values.service}
          onChange={({ currentTarget: { value } }) => set({ service: isService(value) ? value : '' })}
        >
          {!saved && <option value="">Detect from the URL</option>}
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
