// What stands in the form of a webhook or chat, and the requests that come of it.
import type { Chat, ChatChange, ChatCheck, NewChat, NewWebhook, WebhookChange, WebhookCheck } from '@floe/contract'
import type { Configuration } from './configuration.ts'

/** The values of all controls. */
export type FormValues = {
  /** Of a chat that was saved: empty while its address, which is a secret, is kept. */
  readonly url: string
  readonly alias: string
  /** Of a chat; empty when the address is to tell. */
  readonly service: Chat['service'] | ''
  /** Of a webhook: what becomes of the secret token. */
  readonly token: 'keep' | 'replace' | 'none'
  readonly secretToken: string
}

export const emptyValues: FormValues = { url: '', alias: '', service: '', token: 'none', secretToken: '' }

const events: NewWebhook['events'] = ['NewCommit']

/** The values that stand for a saved configuration. */
export function valuesOf(configuration: Configuration): FormValues {
  const { alias } = configuration
  return configuration.kind === 'webhook'
    ? { ...emptyValues, alias, url: configuration.url, token: configuration.has_secret_token ? 'keep' : 'none' }
    : { ...emptyValues, alias, service: configuration.service }
}

/** Names of the values that differ. */
export function differences(one: FormValues, other: FormValues): (keyof FormValues)[] {
  // The keys of an object literal of this type are its members.
  return (Object.keys(one) as (keyof FormValues)[]).filter((name) => one[name] !== other[name])
}

/** What was typed over `base`, now over `latest`: what was not touched follows. */
export function rebase(typed: FormValues, base: FormValues, latest: FormValues): FormValues {
  const touched = differences(typed, base).map((name) => [name, typed[name]])
  return { ...latest, ...Object.fromEntries(touched) }
}

/** Messages about what cannot be meant, so that nobody waits for the service to say so. */
export function missingValues({ url, alias, token, secretToken }: FormValues, keepsUrl: boolean) {
  const missing: Record<string, string> = {}
  if (url.trim() === '' && !keepsUrl) missing['url'] = 'Enter the address.'
  if (alias.trim() === '') missing['alias'] = 'Enter a name.'
  if (token === 'replace' && secretToken === '') missing['secret_token'] = 'Enter the token.'
  return missing
}

export function newWebhook(values: FormValues): NewWebhook {
  return { ...webhookTarget(values), alias: values.alias.trim(), events }
}

export function newChat(values: FormValues): NewChat {
  return { ...chatTarget(values), alias: values.alias.trim(), events }
}

/** The members that differ from what is saved. */
export function webhookChange(values: FormValues, base: FormValues): WebhookChange {
  return { ...webhookTargetChange(values, base), ...aliasChange(values, base) }
}

/** The members that differ from what is saved. */
export function chatChange(values: FormValues, base: FormValues): ChatChange {
  return { ...chatTargetChange(values, base), ...aliasChange(values, base) }
}

/** What to test: what saving would make of it. */
export function webhookCheck(values: FormValues, saved: { id: string; base: FormValues } | undefined): WebhookCheck {
  return saved ? { id: saved.id, ...webhookTargetChange(values, saved.base) } : webhookTarget(values)
}

/** What to test: what saving would make of it. */
export function chatCheck(values: FormValues, saved: { id: string; base: FormValues } | undefined): ChatCheck {
  return saved ? { id: saved.id, ...chatTargetChange(values, saved.base) } : chatTarget(values)
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

function aliasChange(values: FormValues, base: FormValues) {
  const alias = values.alias.trim()
  return alias === base.alias ? {} : { alias }
}

/** Whether an address leads to another scheme, host or port, which the stored secret token does not follow. */
export function isElsewhere(url: string, savedUrl: string): boolean {
  const origin = URL.parse(url)?.origin
  return origin !== undefined && origin !== URL.parse(savedUrl)?.origin
}
