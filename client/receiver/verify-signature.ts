// Signatures of Standard Webhooks, symmetric ones (`v1`): the base64 of HMAC-SHA256 over `id.timestamp.body`
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
import { areBytesEqual, type HeaderValue } from './verify-secret-token.ts'

/** A received request, and the secrets and the clock to check it with. */
export type SignedRequest = {
  /** The received `webhook-id`. */
  readonly id: HeaderValue
  /** The received `webhook-timestamp`: seconds since 1970. */
  readonly timestamp: HeaderValue
  /** The received `webhook-signature`: one or more signatures, separated by spaces. */
  readonly signature: HeaderValue
  /** The received body, unchanged. Parsing it and writing it again can change its bytes. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The valid signing secrets, `whsec_` and base64. Give both during a rotation. */
  readonly secrets: readonly string[]
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined
  /** How many seconds the timestamp may differ from the clock, in either direction. Default 300. */
  readonly toleranceSeconds?: number | undefined
}

/**
 * Whether a request was signed recently with one of the secrets. A missing header gives false. Compares in constant
 * time.
 *
 * @throws TypeError when there is no secret, or one is malformed
 */
export async function verifySignature(request: SignedRequest): Promise<boolean> {
  const { id, timestamp, signature, body, secrets, now = Date.now, toleranceSeconds = 300 } = request
  const keys = decodeSigningKeys(secrets)
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp)) return false
  const ageSeconds = Math.abs(now() / 1000 - Number(timestamp))
  // Negated, so that no signature is valid when the tolerance or the clock is NaN: every comparison with NaN is false.
  if (!(ageSeconds <= toleranceSeconds)) return false
  const content = joinSignedContent(id, timestamp, body)
  const candidates = signature.split(' ').map((candidate) => new TextEncoder().encode(candidate))
  let isSigned = false
  for (const key of keys) {
    const expected = new TextEncoder().encode(`v1,${await sign(key, content)}`)
    for (const candidate of candidates) isSigned = areBytesEqual(expected, candidate) || isSigned
  }
  return isSigned
}

/**
 * Decodes the keys in signing secrets: 24 to 64 bytes, as Standard Webhooks defines it.
 *
 * @throws TypeError when there is no secret, or one is malformed; the message does not contain it
 */
export function decodeSigningKeys(secrets: readonly string[]): readonly Uint8Array<ArrayBuffer>[] {
  if (secrets.length === 0) throw new TypeError('there is no signing secret')
  return secrets.map((secret) => {
    const [, base64 = ''] =
      /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret) ?? []
    const key = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
    if (key.length < 24 || key.length > 64) {
      throw new TypeError('a signing secret must be "whsec_" and the base64 of 24 to 64 bytes')
    }
    return key
  })
}

async function sign(key: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const hmacKey = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', hmacKey, content))))
}

function joinSignedContent(id: string, timestamp: string, body: SignedRequest['body']): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const tail = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const content = new Uint8Array(head.length + tail.length)
  content.set(head)
  content.set(tail, head.length)
  return content
}
