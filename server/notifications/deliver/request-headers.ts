// The headers of a delivery. What proves to a webhook that Floe is the sender is never sent to a chat.
import type { ClaimedDelivery } from '@floe/storage/database'
import { signMessage } from './signature.ts'

/** @param now milliseconds since 1970; the time that is signed */
export function requestHeaders(
  { deliveryId, attempt, configuration }: ClaimedDelivery,
  body: string,
  version: string,
  now: number,
): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'user-agent': `Floe/${version}` }
  if (configuration.kind === 'chat') return headers
  const timestamp = Math.floor(now / 1_000)
  return {
    ...headers,
    ...(configuration.secretToken !== null && { 'x-secret-token': configuration.secretToken }),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage(configuration.signingSecrets, { id: deliveryId, timestamp, body }),
    'webhook-attempt': String(attempt),
  }
}
