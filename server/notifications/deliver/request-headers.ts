// The headers of a delivery. What proves to a webhook that Floe is the sender is never sent to a chat.
import type { OpenReceiver } from '@floe/storage/database'
import type { Message } from './send.ts'
import { signMessage } from './signature.ts'

/** @param now milliseconds since 1970; the time that is signed */
export function requestHeaders(
  { deliveryId, attempt, event, isTest = false }: Message,
  { kind, secretToken, signingSecrets }: OpenReceiver,
  body: string,
  version: string,
  now: number,
): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'user-agent': `Floe/${version}` }
  if (kind === 'chat') return headers
  const timestamp = Math.floor(now / 1_000)
  return {
    ...headers,
    ...(secretToken !== null && { 'x-secret-token': secretToken }),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage(signingSecrets, { id: deliveryId, timestamp, body }),
    'webhook-attempt': String(attempt),
    'webhook-sequence': String(event.sequence),
    ...(isTest && { 'webhook-test': 'true' }),
  }
}
