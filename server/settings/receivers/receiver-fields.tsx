import type { ReceiverKind } from '@floe/contract/lists'
import { Copyable } from '../components/copyable.tsx'
import { Field, FieldError, Select } from '../fields/field.tsx'
import { useSettings } from '../settings-context.ts'
import { serviceNames } from '../receiver.ts'
import { FilterFields } from './filter-fields.tsx'
import { HeadersField, SecretTokenField } from './secret-fields.tsx'
import type { ReceiverFormState } from './use-receiver-form.ts'

type FieldsProps = { readonly state: ReceiverFormState }

type ReceiverFieldsProps = FieldsProps & {
  readonly kind: ReceiverKind
  /** Called when the signing secret has been copied. */
  readonly onCopy: () => void
}

/** The controls of a webhook or chat. */
export function ReceiverFields({ kind, state, onCopy }: ReceiverFieldsProps) {
  const { values, errors } = state
  return (
    <>
      {kind === 'webhook' ? <UrlField state={state} {...webhookUrl} /> : <ChatFields state={state} />}
      <AliasField state={state} />
      {kind === 'webhook' && <SecretTokenField state={state} />}
      {kind === 'webhook' && <HeadersField state={state} />}
      <FilterFields kind={kind} state={state} />
      {values.signingSecret !== '' && (
        <div class="field">
          <Copyable label="Signing secret" text={values.signingSecret} onCopy={onCopy} />
          <FieldError error={errors['signing_secret']} />
          <p class="hint">
            Copy it to the receiver, which uses it to verify that requests come from Floe. Then test and add the
            webhook. <strong>It is not shown again.</strong>
          </p>
        </div>
      )}
    </>
  )
}

const webhookUrl = {
  hint: 'Floe sends a POST request with a JSON body to this https address for each event that is selected below.',
  placeholder: 'https://example.org/hook',
}

const chatUrl = {
  hint: 'The URL of an incoming webhook, which you create in the settings of the chat service. It is kept secret.',
  placeholder: 'https://hooks.slack.com/services/…',
}

const serviceHint =
  'If Floe cannot detect the service, it sends {"text": …}, the format of Slack, which most chat servers accept. For ' +
  'a Mattermost or Rocket.Chat server of your own, choose it here, so that commit messages cannot mention people.'

function ChatFields({ state }: FieldsProps) {
  const { values, errors, saved, set } = state
  const savedUrl = saved && {
    label: 'New Webhook URL',
    hint: `The saved URL is secret and cannot be shown. Leave this empty to keep ${saved.receiver.url}`,
    required: false,
  }
  return (
    <>
      <UrlField state={state} {...chatUrl} {...savedUrl} />
      <Field label="Chat service" hint={serviceHint} error={errors['service']}>
        {(props) => (
          <Select
            {...props}
            options={serviceNames}
            none={saved ? undefined : 'Detect from the URL'}
            value={values.service}
            onChange={(service) => set({ service })}
          />
        )}
      </Field>
    </>
  )
}

type UrlFieldProps = FieldsProps & {
  readonly label?: string
  readonly hint: string
  readonly placeholder: string
  readonly required?: boolean
}

function UrlField({ state, label = 'Webhook URL', hint, placeholder, required = true }: UrlFieldProps) {
  const { values, errors, set } = state
  return (
    <Field label={label} hint={hint} error={errors['url']}>
      {(props) => (
        <input
          {...props}
          placeholder={placeholder}
          required={required}
          type="url"
          inputMode="url"
          value={values.url}
          autocomplete="off"
          spellcheck={false}
          autofocus
          onInput={(event) => set({ url: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

function AliasField({ state: { values, errors, set } }: FieldsProps) {
  const { scope } = useSettings()
  const hint = `A name that people recognise. It must be unique among the webhooks and chats of the ${scope.kind}.`
  return (
    <Field label="Alias" hint={hint} error={errors['alias']}>
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
  )
}
