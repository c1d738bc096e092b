// Where a receiver's secrets are sealed and opened. Each is bound to its row and its column.
import { randomBytes } from 'node:crypto'
import type { SecretBox } from '../../secrets/index.ts'
import type { ChatService, ReceiverKind } from '../tables.ts'
import type { Receiver, SigningSecret } from './receivers.ts'

/** What it takes to send to a receiver: its secrets are open here, so it is neither stored, shown nor logged. */
export type OpenReceiver = {
  readonly kind: ReceiverKind
  readonly url: string
  readonly service: ChatService | null
  readonly secretToken: string | null
  /** `whsec_` and base64, newest first; those that have ended are left out. */
  readonly signingSecrets: readonly string[]
}

/**
 * Opens the secrets of a receiver.
 *
 * @throws UnknownKeyError, SecretError
 */
export function openReceiver(receiver: Receiver, secrets: SecretBox, now: Date): OpenReceiver {
  const { id, kind, url, service, secretToken, signingSecrets } = receiver
  const valid = signingSecrets.filter(({ until }) => until === null || until > now)
  return {
    kind,
    url: kind === 'chat' ? secrets.open(url, bindUrl(id)) : url,
    service,
    secretToken: secretToken === null ? null : secrets.open(secretToken, bindSecretToken(id)),
    signingSecrets: valid.map((one) => openSigningSecret(id, one, secrets)),
  }
}

/** The columns that follow from a URL. */
export function sealUrl({ id, kind, url }: Pick<Receiver, 'id' | 'kind' | 'url'>, secrets: SecretBox) {
  return { url: kind === 'chat' ? secrets.seal(url, bindUrl(id)) : url, origin: readOrigin(url) }
}

/** A secret token as a receiver holds it. */
export function sealSecretToken(id: string, secretToken: string | null, secrets: SecretBox): string | null {
  return secretToken === null ? null : secrets.seal(secretToken, bindSecretToken(id))
}

/** Standard Webhooks asks for 24 to 64 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** A signing secret as a receiver holds it. */
export function sealSigningSecret(id: string, secret: string, secrets: SecretBox, isDeclared = false): SigningSecret {
  return { sealed: secrets.seal(secret, bindSigningSecret(id)), until: null, isDeclared }
}

/** A signing secret in the clear. */
export function openSigningSecret(id: string, { sealed }: SigningSecret, secrets: SecretBox): string {
  return secrets.open(sealed, bindSigningSecret(id))
}

/**
 * Seals anew what is not sealed under the present key.
 *
 * @returns undefined when all is
 */
export function resealReceiver(receiver: Receiver, secrets: SecretBox) {
  const { id, kind, url, secretToken, signingSecrets } = receiver
  const sealed = [...(kind === 'chat' ? [url] : []), ...(secretToken === null ? [] : [secretToken])]
  if ([...sealed, ...signingSecrets.map((one) => one.sealed)].every((text) => secrets.isCurrent(text))) return undefined
  const reseal = (text: string, context: string) => secrets.seal(openOrPlain(text, context, secrets), context)
  return {
    url: kind === 'chat' ? reseal(url, bindUrl(id)) : url,
    secretToken: secretToken === null ? null : reseal(secretToken, bindSecretToken(id)),
    signingSecrets: signingSecrets.map((one) => ({ ...one, sealed: reseal(one.sealed, bindSigningSecret(id)) })),
  }
}

const plainMark = 'plain:'

/** Migration 0003 has marked what was stored before secrets were sealed. */
function openOrPlain(text: string, context: string, secrets: SecretBox): string {
  return text.startsWith(plainMark) ? text.slice(plainMark.length) : secrets.open(text, context)
}

// What is sealed is bound to these texts, so they keep the word that receivers had when the first secrets were sealed.
const bindUrl = (id: string) => `configuration/${id}/url`
const bindSecretToken = (id: string) => `configuration/${id}/secret_token`
const bindSigningSecret = (id: string) => `configuration/${id}/signing_secret`

/** The `host:port` of a URL. */
export function readOrigin(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port === '' ? '443' : port}`
}
