// The values in the form of a webhook or chat, and the request bodies that are made from them.
import type { ChatCreation, WebhookCreation } from '@floe/client'
import { type ChatService, defaultFilter, type EventFilter, type ReceiverKind } from '@floe/contract/lists'
import { listLines } from '../fields/list-lines.ts'
import type { SettingsScope } from '../settings-scope.ts'
import type { Receiver } from '../receiver.ts'
import { readFilter } from './describe-filter.ts'
import { readSearch, writeSearch } from './search-text.ts'

/** What to do with a secret that the service stores and never shows. */
export type StoredSecret = 'keep' | 'replace' | 'none'

/** A filter as people edit it. The API has the same names. */
type FilterValues = Omit<EventFilter, 'repos' | 'branches' | 'paths' | 'search'> & {
  /**
   * Patterns, one per line, because names and paths may contain any other separator. Undefined for a receiver of one
   * repository.
   */
  readonly repos: string | undefined
  /** Patterns, one per line. */
  readonly branches: string
  /** Patterns, one per line. */
  readonly paths: string
  /** The query of a search; empty for none. Undefined for a receiver of one repository. */
  readonly search: string | undefined
}

export type FormValues = FilterValues & {
  /** Empty to keep the URL of a saved chat, which is secret and not shown. */
  readonly url: string
  readonly alias: string
  /** Only for a chat; empty when the service is detected from the URL. */
  readonly service: ChatService | ''
  /** Only for a webhook. */
  readonly token: StoredSecret
  readonly secretToken: string
  /** Only for a webhook. */
  readonly headers: StoredSecret
  /** Names and values, one `Name: value` per line. */
  readonly headerLines: string
  /** Only for a new webhook; otherwise empty. */
  readonly signingSecret: string
}

// In the order of the form, in which sentences name them.
const emptyValues: FormValues = {
  url: '',
  alias: '',
  ...editFilter(defaultFilter),
  service: '',
  token: 'none',
  secretToken: '',
  headers: 'none',
  headerLines: '',
  signingSecret: '',
}

/** Bytes of a signing secret. Standard Webhooks requires 24 to 64. */
const secretBytes = 32

/** `whsec_` and the base64 of random bytes, the format of Standard Webhooks. */
export function makeSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/** Makes the values that the form of a new receiver begins with. */
export function makeNewValues(kind: ReceiverKind, scopeKind: SettingsScope['kind']): FormValues {
  const values = scopeKind === 'organisation' ? { ...emptyValues, repos: '**', search: '' } : emptyValues
  return kind === 'webhook' ? { ...values, signingSecret: makeSigningSecret() } : values
}

/** Reads the values that the form of a saved receiver begins with. */
export function readValues(receiver: Receiver): FormValues {
  const values = { ...emptyValues, ...editFilter(readFilter(receiver)), alias: receiver.alias }
  // The service that answers has served the page, so it sends no values that the page does not know.
  if (receiver.kind === 'chat') return { ...values, service: receiver.service as ChatService }
  const { url, has_secret_token: hasToken, header_names: names } = receiver
  const stored = { token: hasToken ? 'keep' : 'none', headers: names.length > 0 ? 'keep' : 'none' } as const
  return { ...values, url, ...stored }
}

function editFilter({ repos, branches, paths, search, ...chosen }: EventFilter): FilterValues {
  return {
    ...chosen,
    repos: repos?.join('\n'),
    branches: branches.join('\n'),
    paths: paths.join('\n'),
    search: repos === null ? undefined : writeSearch(search),
  }
}

/** Returns messages about values that are missing or unreadable, by field of the body. They need no request. */
export function findMissingValues(values: FormValues, keepsUrl: boolean) {
  const { url, alias, events, repos, branches, kinds, paths, compatibility, token, secretToken, headers, headerLines } =
    values
  const { search = '' } = values
  const missing: Record<string, string> = {}
  if (url.trim() === '' && !keepsUrl) missing['url'] = 'Enter the Webhook URL.'
  if (alias.trim() === '') missing['alias'] = 'Enter an Alias.'
  if (token === 'replace' && secretToken === '') missing['secret_token'] = 'Enter the Secret Token.'
  if (headers === 'replace' && !areHeaders(listHeaders(headerLines)))
    missing['headers'] = 'Enter each header once and on one line, such as Authorization: Bearer …'
  if (events.length === 0) missing['events'] = 'Select at least one event.'
  if (repos !== undefined && listLines(repos).length === 0)
    missing['repos'] = 'Enter at least one pattern, such as ** for all.'
  if (listLines(branches).length === 0) missing['branches'] = 'Enter at least one pattern, such as main.'
  if (listLines(paths).length === 0) missing['paths'] = 'Enter at least one pattern, such as ** for all.'
  if (search.trim() !== '' && readSearch(search) === null)
    missing['search'] = 'Enter a query, such as q=temperature, or the address of a search page.'
  if (kinds?.length === 0) missing['kinds'] = 'Select at least one kind.'
  if (compatibility.length === 0) missing['compatibility'] = 'Select at least one verdict.'
  return missing
}

/** Splits lines such as `Name: value`. The value of a line without a colon is empty. */
function listHeaders(lines: string): (readonly [name: string, value: string])[] {
  return listLines(lines).map((line) => {
    const [name = '', ...rest] = line.split(':')
    return [name.trim(), rest.join(':').trim()] as const
  })
}

/** Whether there are headers, each has a name and a value, and no name is there twice. */
function areHeaders(headers: ReturnType<typeof listHeaders>): boolean {
  const names = new Set(headers.map(([name]) => name))
  return headers.length > 0 && names.size === headers.length && headers.every((header) => !header.includes(''))
}

/** The body of the request that creates a receiver, without its kind. */
type Body = Omit<WebhookCreation, 'kind'> & Omit<ChatCreation, 'kind'>

/** Makes the body of the request that creates a receiver. Leaves out stored secrets that are kept. */
export function makeBody(kind: ReceiverKind, values: FormValues): Body {
  const { events, repos, kinds, search, compatibility, include_changes } = values
  const { service, token, secretToken, headers, headerLines, signingSecret } = values
  const filter = {
    events: [...events],
    branches: listLines(values.branches),
    kinds: kinds && [...kinds],
    paths: listLines(values.paths),
    compatibility: [...compatibility],
    ...(repos !== undefined && { repos: listLines(repos) }),
    ...(search !== undefined && { search: readSearch(search) }),
  }
  const common = { url: values.url.trim(), alias: values.alias.trim(), ...filter }
  if (kind === 'chat') return { ...common, ...(service !== '' && { service }) }
  return {
    ...common,
    include_changes,
    ...(token !== 'keep' && { secret_token: token === 'replace' ? secretToken : null }),
    ...(headers !== 'keep' && { headers: headers === 'replace' ? Object.fromEntries(listHeaders(headerLines)) : {} }),
    ...(signingSecret !== '' && { signing_secret: signingSecret }),
  }
}

/** Picks the fields of a body that differ from those of the saved receiver. */
export function pickChanges<Body extends object>(body: Body, saved: Body): Partial<Body> {
  const before = new Map(Object.entries(saved))
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  )
  return Object.fromEntries(changed) as Partial<Body> // some entries of the body
}

/**
 * Whether saving the URL removes the stored Secret Token and headers: when its scheme, host, port or path is new. The
 * service has the same rule.
 */
export function dropsStoredSecrets(url: string, savedUrl: string): boolean {
  const [next, saved] = [URL.parse(url), URL.parse(savedUrl)]
  return next !== null && (next.origin !== saved?.origin || next.pathname !== saved.pathname)
}
