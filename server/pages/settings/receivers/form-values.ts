// The values of the form of a webhook or chat, and the request bodies made from them.
import type { Chat, NewOrgChat, NewOrgWebhook, NewWebhook } from '@floe/contract'
import { listLines } from '../parts/list-lines.ts'
import type { Place } from '../place.ts'
import type { Kind, Receiver } from '../receiver.ts'

export type FormValues = {
  /** Empty to keep the URL of a saved chat, which is secret and not shown. */
  readonly url: string
  readonly alias: string
  readonly events: NewWebhook['events']
  /** One pattern per line, because names and paths may contain any other separator. Undefined for a receiver of one repository. */
  readonly repos: string | undefined
  /** As for {@link repos}. */
  readonly branches: string
  /** As for {@link repos}. */
  readonly paths: string
  /** Only for a webhook. */
  readonly includesChanges: boolean
  /** Only for a chat; empty when the service is detected from the URL. */
  readonly service: Chat['service'] | ''
  /** Only for a webhook: what to do with the secret token. */
  readonly token: 'keep' | 'replace' | 'none'
  readonly secretToken: string
  /** Only for a new webhook; else empty. */
  readonly signingSecret: string
}

const emptyValues: FormValues = {
  url: '',
  alias: '',
  events: ['NewCommit'],
  repos: undefined,
  branches: 'main',
  paths: '**',
  includesChanges: false,
  service: '',
  token: 'none',
  secretToken: '',
  signingSecret: '',
}

/** Bytes of a signing secret. Standard Webhooks requires 24 to 64. */
const secretBytes = 32

/** `whsec_` and the base64 of random bytes, the format of Standard Webhooks. */
export function makeSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

export function makeNewValues(kind: Kind, noun: Place['noun']): FormValues {
  const values = noun === 'organisation' ? { ...emptyValues, repos: '**' } : emptyValues
  return kind === 'webhook' ? { ...values, signingSecret: makeSigningSecret() } : values
}

export function readValues(receiver: Receiver): FormValues {
  const { alias, events, repos, branches, paths } = receiver
  const patterns = { repos: repos?.join('\n'), branches: branches.join('\n'), paths: paths.join('\n') }
  const values = { ...emptyValues, alias, events, ...patterns }
  if (receiver.kind === 'chat') return { ...values, service: receiver.service }
  const { url, include_changes: includesChanges, has_secret_token: hasToken } = receiver
  return { ...values, url, includesChanges, token: hasToken ? 'keep' : 'none' }
}

export function listDifferences(one: FormValues, other: FormValues): (keyof FormValues)[] {
  // The keys of an object literal of this type are its members.
  return (Object.keys(one) as (keyof FormValues)[]).filter((name) => String(one[name]) !== String(other[name]))
}

/** Keeps the values that were changed since `base`, and takes all others from `latest`. */
export function rebase(typed: FormValues, base: FormValues, latest: FormValues): FormValues {
  const touched = listDifferences(typed, base).map((name) => [name, typed[name]])
  return { ...latest, ...Object.fromEntries(touched) }
}

/** Returns messages about missing values, by member. They are shown without a request. */
export function findMissingValues(values: FormValues, keepsUrl: boolean) {
  const { url, alias, events, repos, branches, paths, token, secretToken } = values
  const missing: Record<string, string> = {}
  if (url.trim() === '' && !keepsUrl) missing['url'] = 'Enter the Webhook URL.'
  if (alias.trim() === '') missing['alias'] = 'Enter an Alias.'
  if (token === 'replace' && secretToken === '') missing['secret_token'] = 'Enter the Secret Token.'
  if (events.length === 0) missing['events'] = 'Select at least one event.'
  if (repos !== undefined && listLines(repos).length === 0)
    missing['repos'] = 'Enter at least one pattern, such as ** for all.'
  if (listLines(branches).length === 0) missing['branches'] = 'Enter at least one pattern, such as main.'
  if (listLines(paths).length === 0) missing['paths'] = 'Enter at least one pattern, such as ** for all.'
  return missing
}

/** The body that creates a receiver. A stored secret token that is kept is left out. */
export function makeBody(kind: Kind, values: FormValues): NewOrgWebhook & NewOrgChat {
  const { events, repos, includesChanges, service, token, secretToken, signingSecret } = values
  const filter = { events, branches: listLines(values.branches), paths: listLines(values.paths) }
  const ofOrganisation = repos !== undefined && { repos: listLines(repos) }
  const common = { url: values.url.trim(), alias: values.alias.trim(), ...filter, ...ofOrganisation }
  if (kind === 'chat') return { ...common, ...(service !== '' && { service }) }
  return {
    ...common,
    include_changes: includesChanges,
    ...(token !== 'keep' && { secret_token: token === 'replace' ? secretToken : null }),
    ...(signingSecret !== '' && { signing_secret: signingSecret }),
  }
}

/** The members of a body that differ from those of the saved receiver. */
export function pickChanges<Body extends object>(body: Body, saved: Body): Partial<Body> {
  const before = new Map(Object.entries(saved))
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  )
  return Object.fromEntries(changed) as Partial<Body> // The entries are those of the body.
}

/** Whether a URL has another scheme, host, port or path. A stored Secret Token is removed then; the service has the same rule. */
export function isElsewhere(url: string, savedUrl: string): boolean {
  const [to, from] = [URL.parse(url), URL.parse(savedUrl)]
  return to !== null && (to.origin !== from?.origin || to.pathname !== from.pathname)
}
