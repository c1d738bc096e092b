// Seals and opens the secrets of receivers. A sealed secret is bound to its row and column, and cannot be opened
// elsewhere.
import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { writeFilter } from '../../event-filter.ts'
import { listKeyIds, type SecretBox } from '../../secrets/index.ts'
import type { ReceiversTable } from '../notification-tables.ts'
import { formatSigningSecrets, type OwnHeaders, type Receiver, type SigningSecret } from './receivers.ts'

/** A receiver with opened secrets, for sending. Never store, show or log it. */
export type OpenReceiver = Pick<Receiver, 'kind' | 'url' | 'service' | 'filter' | 'secretToken' | 'headers'> & {
  /** `whsec_` and base64, newest first. Secrets that no longer sign are left out. */
  readonly signingSecrets: readonly string[]
}

/**
 * Opens the secrets of a receiver.
 *
 * @throws UnknownKeyError, SecretError
 */
export function openReceiver(receiver: Receiver, secrets: Pick<SecretBox, 'open'>, now: Date): OpenReceiver {
  const { id, kind, service, filter, signingSecrets } = receiver
  const valid = signingSecrets.filter(({ until }) => until === null || until > now)
  return {
    kind,
    url: openUrl(receiver, secrets),
    service,
    filter,
    secretToken: openSecretToken(receiver, secrets),
    headers: openHeaders(receiver, secrets),
    signingSecrets: valid.map((secret) => openSigningSecret(id, secret, secrets)),
  }
}

/** The settings of a receiver. The URL, the secret token and the headers are not sealed. */
export type ReceiverSettings = Pick<
  Receiver,
  'kind' | 'alias' | 'url' | 'service' | 'filter' | 'secretToken' | 'headers'
>

/** Returns the columns of the settings. */
export function sealSettings(id: string, settings: ReceiverSettings, secrets: SecretBox) {
  const { kind, alias, url, service, filter, secretToken, headers } = settings
  return {
    kind,
    alias,
    service,
    filter: writeFilter(filter),
    ...sealUrl({ id, url }, secrets),
    secret_token: sealSecretToken(id, secretToken, secrets),
    headers: sealHeaders(id, headers, secrets),
  }
}

/** Returns the columns that depend on the URL. It is sealed, because its path is often a secret. */
export function sealUrl({ id, url }: Pick<Receiver, 'id' | 'url'>, secrets: SecretBox) {
  return { url: secrets.seal(url, bindUrl(id)), origin: readOrigin(url) }
}

/**
 * Opens the URL of a receiver. Only administrators may see it.
 *
 * @throws UnknownKeyError, SecretError
 */
export function openUrl({ id, url }: Pick<Receiver, 'id' | 'url'>, secrets: Pick<SecretBox, 'open'>): string {
  return secrets.open(url, bindUrl(id))
}

export function openSecretToken(
  { id, secretToken }: Pick<Receiver, 'id' | 'secretToken'>,
  secrets: Pick<SecretBox, 'open'>,
): string | null {
  return secretToken === null ? null : secrets.open(secretToken, bindSecretToken(id))
}

export function sealSecretToken(id: string, secretToken: string | null, secrets: SecretBox): string | null {
  return secretToken === null ? null : secrets.seal(secretToken, bindSecretToken(id))
}

export function openHeaders(
  { id, headers }: Pick<Receiver, 'id' | 'headers'>,
  secrets: Pick<SecretBox, 'open'>,
): OwnHeaders {
  return mapHeaders(headers, (name, sealed) => secrets.open(sealed, bindHeader(id, name)))
}

/** Returns the column of the headers. */
export function sealHeaders(id: string, headers: OwnHeaders, secrets: SecretBox): string {
  return JSON.stringify(mapHeaders(headers, (name, value) => secrets.seal(value, bindHeader(id, name))))
}

function mapHeaders(headers: OwnHeaders, map: (name: string, value: string) => string): OwnHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(name, value)]))
}

/** Generates a signing secret: `whsec_` and base64. Standard Webhooks requires 24 to 64 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function sealSigningSecret(id: string, secret: string, secrets: SecretBox, isDeclared = false): SigningSecret {
  return { sealed: secrets.seal(secret, bindSigningSecret(id)), until: null, isDeclared }
}

export function openSigningSecret(id: string, { sealed }: SigningSecret, secrets: Pick<SecretBox, 'open'>): string {
  return secrets.open(sealed, bindSigningSecret(id))
}

/** Returns the columns of a receiver's secrets, sealed with the current key. */
export function resealReceiver(receiver: Receiver, secrets: SecretBox) {
  const { id, url, secretToken, headers, signingSecrets } = receiver
  const reseal = (text: string, context: string) => secrets.seal(secrets.open(text, context), context)
  const columns = {
    url: reseal(url, bindUrl(id)),
    secret_token: secretToken === null ? null : reseal(secretToken, bindSecretToken(id)),
    headers: JSON.stringify(mapHeaders(headers, (name, text) => reseal(text, bindHeader(id, name)))),
    signing_secrets: formatSigningSecrets(
      signingSecrets.map((secret) => ({ ...secret, sealed: reseal(secret.sealed, bindSigningSecret(id)) })),
    ),
  }
  return { ...columns, sealed_with: nameKeys(columns) }
}

/** The columns that hold sealed secrets. */
type SealedColumns = Pick<Selectable<ReceiversTable>, 'url' | 'secret_token' | 'headers' | 'signing_secrets'>

/** Returns the column that names the keys of a receiver's sealed secrets. All who write these columns write it too. */
export function nameKeys({ url, secret_token, headers, signing_secrets }: SealedColumns): string {
  return listKeyIds([url, secret_token, headers, signing_secrets].join(' ')).join(' ')
}

// Sealed secrets are bound to these texts, so the texts must never change.
const bindUrl = (id: string) => `receiver/${id}/url`
const bindSecretToken = (id: string) => `receiver/${id}/secret_token`
const bindHeader = (id: string, name: string) => `receiver/${id}/headers/${name}`
const bindSigningSecret = (id: string) => `receiver/${id}/signing_secret`

/** Host and port, with `http://` before them if the URL has that scheme. */
export function readOrigin(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return protocol === 'http:' ? `http://${hostname}:${port || '80'}` : `${hostname}:${port || '443'}`
}

const maskedPath = '/...'

/** Returns the URL of a receiver without its path and query, which are often secrets: `https://hooks.slack.com/...`. */
export function maskUrl({ origin }: Pick<Receiver, 'origin'>): string {
  // The stored origin always has a port; `URL` removes the default port.
  return `${new URL(origin.startsWith('http://') ? origin : `https://${origin}`).origin}${maskedPath}`
}

/** Whether a URL is a result of {@link maskUrl}. */
export function isMaskedUrl(url: URL): boolean {
  return url.pathname === maskedPath
}
