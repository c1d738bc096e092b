// What stands in the form of a webhook or chat, and the requests that come of it.
import type { Chat, ChatChange, ChatCheck, NewChat, NewWebhook, WebhookChange, WebhookCheck } from '@floe/contract'
import type { Receiver, Kind } from '../receiver.ts'
import { newSigningSecret } from './new-signing-secret.ts'

/** What can be selected to be sent. */
export type EventName = NewWebhook['events'][number]

/** The values of all controls. */
export type FormValues = {
  /** Of a chat that was saved: empty while its URL, which is a secret, is kept. */
  readonly url: string
  readonly alias: string
  readonly events: readonly EventName[]
  /** Of a chat; empty when the URL is to tell. */
  readonly service: Chat['service'] | ''
  /** Of a webhook: what becomes of the secret token. */
  readonly token: 'keep' | 'replace' | 'none'
  readonly secretToken: string
  /** Of a webhook that was not saved yet; else empty. */
  readonly signingSecret: string
}

const emptyValues: FormValues = {
  url: '',
  alias: '',
  events: ['NewCommit'],
  service: '',
  token: 'none',
  secretToken: '',
  signingSecret: '',
}

/** The values of a form for a new receiver. */
export function newValues(kind: Kind): FormValues {
  return kind === 'webhook' ? { ...emptyValues, signingSecret: newSigningSecret() } : emptyValues
}

/** The values that stand for a saved receiver. */
export function valuesOf(receiver: Receiver): FormValues {
  const { alias, events } = receiver
  const values = { ...emptyValues, alias, events }
  return receiver.kind === 'webhook'
    ? { ...values, url: receiver.url, token: receiver.has_secret_token ? 'keep' : 'none' }
    : { ...values, service: receiver.service }
}

/** Names of the values that differ. */
export function differences(one: FormValues, other: FormValues): (keyof FormValues)[] {
  // The keys of an object literal of this type are its members.
  return (Object.keys(one) as (keyof FormValues)[]).filter((name) => String(one[name]) !== String(other[name]))
}

/** What was typed over `base`, now over `latest`: what was not touched follows. */
export function rebase(typed: FormValues, base: FormValues, latest: FormValues): FormValues {
  const touched = differences(typed, base).map((name) => [name, typed[name]])
  return { ...latest, ...Object.fromEntries(touched) }
}

/** Messages about what cannot be meant, so that nobody waits for the service to say so. */
export function missingValues({ url, alias, events, token, secretToken }: FormValues, keepsUrl: boolean) {
  const missing: Record<string, string> = {}
  if (url.trim() === '' && !keepsUrl) missing['url'] = 'Enter the Webhook URL.'
  if (alias.trim() === '') missing['alias'] = 'Enter an Alias.'
  if (token === 'replace' && secretToken === '') missing['secret_token'] = 'Enter the Secret Token.'
  if (events.length === 0) missing['events'] = 'Select at least one event.'
  return missing
}

export function newWebhook(values: FormValues): NewWebhook {
  return { ...newWebhookTarget(values), alias: values.alias.trim(), events: [...values.events] }
}

export function newChat(values: FormValues): NewChat {
  return { ...chatTarget(values), alias: values.alias.trim(), events: [...values.events] }
}

/** The members that differ from what is saved. */
export function webhookChange(values: FormValues, base: FormValues): WebhookChange {
  return { ...webhookTargetChange(values, base), ...commonChange(values, base) }
}

/** The members that differ from what is saved. */
export function chatChange(values: FormValues, base: FormValues): ChatChange {
  return { ...chatTargetChange(values, base), ...commonChange(values, base) }
}

/** What to test: what saving would make of it. */
export function webhookCheck(values: FormValues, saved: { id: string; base: FormValues } | undefined): WebhookCheck {
  return saved ? { id: saved.id, ...webhookTargetChange(values, saved.base) } : newWebhookTarget(values)
}

/** What to test: what saving would make of it. */
export function chatCheck(values: FormValues, saved: { id: string; base: FormValues } | undefined): ChatCheck {
  return saved ? { id: saved.id, ...chatTargetChange(values, saved.base) } : chatTarget(values)
}

function newWebhookTarget(values: FormValues) {
  return { ...webhookTarget(values), signing_secret: values.signingSecret }
}

function webhookTarget({ url, token, secretToken }: FormValues) {
  return { url: url.trim(), ...(token === 'replace' && { secret_token: secretToken }) }
}

function chatTarget({ url, service }: FormValues) {
  return { url: url.trim(), ...(service !== '' && { service }) }
}

function webhookTargetChange(values: FormValues, base: FormValues) {
  const { url, ...replacement } = webhookTarget(values)
  const isRemoved = values.token === 'none' && base.token === 'keep'
  return { ...(url !== base.url && { url }), ...replacement, ...(isRemoved && { secret_token: null }) }
}

function chatTargetChange(values: FormValues, base: FormValues) {
  const { url, service } = chatTarget(values)
  return { ...(url !== '' && { url }), ...(service !== base.service && { service }) }
}

function commonChange(values: FormValues, base: FormValues) {
  const alias = values.alias.trim()
  const isSameEvents = String(values.events) === String(base.events)
  return { ...(alias !== base.alias && { alias }), ...(!isSameEvents && { events: [...values.events] }) }
}

/** Whether a URL has another scheme, host, port or path, which a stored Secret Token does not follow; the service decides the same. */
export function isElsewhere(url: string, savedUrl: string): boolean {
  const [to, from] = [URL.parse(url), URL.parse(savedUrl)]
  return to !== null && (to.origin !== from?.origin || to.pathname !== from.pathname)
}
