// The values of the form of a webhook or chat, and the request bodies made from them.
import type { Chat, ChatChange, ChatToTest, NewChat, NewWebhook, WebhookChange, WebhookToTest } from '@floe/contract'
import type { Receiver, Kind } from './receiver.ts'
import { makeSigningSecret } from './make-signing-secret.ts'

/** An event that a receiver can select. */
export type EventName = NewWebhook['events'][number]

/** The values of all controls. */
export type FormValues = {
  /** Empty for a saved chat whose URL is kept: the URL is a secret and is not shown. */
  readonly url: string
  readonly alias: string
  readonly events: readonly EventName[]
  /** Only for a chat; empty when the service is detected from the URL. */
  readonly service: Chat['service'] | ''
  /** Only for a webhook: what to do with the secret token. */
  readonly token: 'keep' | 'replace' | 'none'
  readonly secretToken: string
  /** Only for a webhook that has not been saved; else empty. */
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
export function makeNewValues(kind: Kind): FormValues {
  return kind === 'webhook' ? { ...emptyValues, signingSecret: makeSigningSecret() } : emptyValues
}

/** The values of a form for a saved receiver. */
export function readValues(receiver: Receiver): FormValues {
  const { alias, events } = receiver
  const values = { ...emptyValues, alias, events }
  return receiver.kind === 'webhook'
    ? { ...values, url: receiver.url, token: receiver.has_secret_token ? 'keep' : 'none' }
    : { ...values, service: receiver.service }
}

/** Lists the names of the values that differ. */
export function listDifferences(one: FormValues, other: FormValues): (keyof FormValues)[] {
  // The keys of an object literal of this type are its members.
  return (Object.keys(one) as (keyof FormValues)[]).filter((name) => String(one[name]) !== String(other[name]))
}

/** Keeps the values that were changed since `base`, and takes all others from `latest`. */
export function rebase(typed: FormValues, base: FormValues, latest: FormValues): FormValues {
  const touched = listDifferences(typed, base).map((name) => [name, typed[name]])
  return { ...latest, ...Object.fromEntries(touched) }
}

/** Returns messages about missing values, by member. They are shown without asking the service. */
export function findMissingValues({ url, alias, events, token, secretToken }: FormValues, keepsUrl: boolean) {
  const missing: Record<string, string> = {}
  if (url.trim() === '' && !keepsUrl) missing['url'] = 'Enter the Webhook URL.'
  if (alias.trim() === '') missing['alias'] = 'Enter an Alias.'
  if (token === 'replace' && secretToken === '') missing['secret_token'] = 'Enter the Secret Token.'
  if (events.length === 0) missing['events'] = 'Select at least one event.'
  return missing
}

/** The body that creates a webhook. */
export function makeNewWebhook(values: FormValues): NewWebhook {
  return { ...makeNewWebhookTarget(values), alias: values.alias.trim(), events: [...values.events] }
}

/** The body that creates a chat. */
export function makeNewChat(values: FormValues): NewChat {
  return { ...makeChatTarget(values), alias: values.alias.trim(), events: [...values.events] }
}

/** The members that differ from what is saved. */
export function makeWebhookChange(values: FormValues, base: FormValues): WebhookChange {
  return { ...makeWebhookTargetChange(values, base), ...makeCommonChange(values, base) }
}

/** The members that differ from what is saved. */
export function makeChatChange(values: FormValues, base: FormValues): ChatChange {
  return { ...makeChatTargetChange(values, base), ...makeCommonChange(values, base) }
}

/** The body of a test: the receiver as it would be after saving. */
export function makeWebhookToTest(
  values: FormValues,
  saved: { id: string; base: FormValues } | undefined,
): WebhookToTest {
  return saved ? { id: saved.id, ...makeWebhookTargetChange(values, saved.base) } : makeNewWebhookTarget(values)
}

/** The body of a test: the receiver as it would be after saving. */
export function makeChatToTest(values: FormValues, saved: { id: string; base: FormValues } | undefined): ChatToTest {
  return saved ? { id: saved.id, ...makeChatTargetChange(values, saved.base) } : makeChatTarget(values)
}

function makeNewWebhookTarget(values: FormValues) {
  return { ...makeWebhookTarget(values), signing_secret: values.signingSecret }
}

function makeWebhookTarget({ url, token, secretToken }: FormValues) {
  return { url: url.trim(), ...(token === 'replace' && { secret_token: secretToken }) }
}

function makeChatTarget({ url, service }: FormValues) {
  return { url: url.trim(), ...(service !== '' && { service }) }
}

function makeWebhookTargetChange(values: FormValues, base: FormValues) {
  const { url, ...replacement } = makeWebhookTarget(values)
  const isRemoved = values.token === 'none' && base.token === 'keep'
  return { ...(url !== base.url && { url }), ...replacement, ...(isRemoved && { secret_token: null }) }
}

function makeChatTargetChange(values: FormValues, base: FormValues) {
  const { url, service } = makeChatTarget(values)
  return { ...(url !== '' && { url }), ...(service !== base.service && { service }) }
}

function makeCommonChange(values: FormValues, base: FormValues) {
  const alias = values.alias.trim()
  const isSameEvents = String(values.events) === String(base.events)
  return { ...(alias !== base.alias && { alias }), ...(!isSameEvents && { events: [...values.events] }) }
}

/** Whether a URL has another scheme, host, port or path. A stored Secret Token is then dropped; the service has the same rule. */
export function isElsewhere(url: string, savedUrl: string): boolean {
  const [to, from] = [URL.parse(url), URL.parse(savedUrl)]
  return to !== null && (to.origin !== from?.origin || to.pathname !== from.pathname)
}
