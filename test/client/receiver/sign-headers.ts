// Creates the headers of a webhook's request, signed with Node's own HMAC.
import { createHmac } from 'node:crypto'

export const secretToken = 'a token: 7Zb!'
export const signingSecret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`

type Signing = {
  readonly id?: string
  /** Seconds since 1970. */
  readonly timestamp?: number
  readonly secrets?: readonly string[]
}

/** Creates the headers of a delivery's first attempt. */
export function signHeaders(body: string | Uint8Array, signing: Signing = {}) {
  const { id = 'msg_1', timestamp = Math.floor(Date.now() / 1000), secrets = [signingSecret] } = signing
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'x-secret-token': secretToken,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'webhook-attempt': '1',
    'webhook-sequence': '7',
  }
}
