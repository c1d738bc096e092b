// Writes the request that carries an event to a receiver: URL, headers, signature and body. Chats get neither a
// signature nor a token. A webhook can ask for a CloudEvent.
import { createHmac } from 'node:crypto'
import { notificationHeaders as names } from '@floe/contract'
import type { ClaimedDelivery, OpenReceiver } from '@floe/storage/database'
import {
  type DeliveredEvent,
  structuredType,
  writeAttributeHeaders,
  writeStructuredEvent,
} from '../../events/cloud-events.ts'
import type { LinkEvent } from '../../events/link-event.ts'
import { addressChat, resolveChatService, writeChatBody } from './chat-services.ts'
import { readDigest } from './describe-digest.ts'
import type { PostRequest } from '../post/post.ts'

/** An event to send, and the number of the attempt. */
export type Message = Pick<ClaimedDelivery, 'deliveryId' | 'attempt'> &
  Partial<Pick<ClaimedDelivery, 'replayOf' | 'digest'>> & {
    /** An event of a test is not recorded. */
    readonly event: Omit<ClaimedDelivery['event'], 'id' | 'recordedAt'> & { readonly recordedAt?: Date }
    /** Whether an administrator tests the receiver. */
    readonly isTest?: boolean
  }

/** The signed content; `timestamp` is in whole seconds since 1970. */
type SignedMessage = { readonly id: string; readonly timestamp: number; readonly body: string }

/**
 * Writes the request for one attempt. Webhooks get the recorded payload byte for byte, perhaps in a CloudEvent. Chats
 * get the line and its link, or a digest, in the format of their service. A test has a header that says so, or `Test:`
 * before the line.
 *
 * @param version of Floe, for `User-Agent`
 * @param now milliseconds since 1970; the time that is signed
 * @param linkEvent finds the page that a message for chats links to. Default: none
 */
export function writeRequest(
  message: Message,
  receiver: OpenReceiver,
  version: string,
  now: number,
  linkEvent: LinkEvent = () => undefined,
): PostRequest {
  const { event } = message
  const url = new URL(receiver.url)
  if (receiver.kind === 'webhook') {
    const isStructured = receiver.filter.format === 'cloudevents-structured'
    const body = isStructured ? writeStructuredEvent(toDelivered(message, now)) : event.payload
    return { url, headers: writeHeaders(message, receiver, body, version, now), body }
  }
  const service = resolveChatService(receiver.service, url)
  const line = message.isTest === true ? `Test: ${event.line}` : event.line
  const lines = message.digest ? readDigest(message.digest) : [{ text: line, link: linkEvent(event.payload) }]
  const body = writeChatBody(service, lines)
  return { url: addressChat(service, url), headers: writeHeaders(message, receiver, body, version, now), body }
}

function toDelivered({ deliveryId: id, event }: Message, now: number): DeliveredEvent {
  return { id, payload: event.payload, time: event.recordedAt ?? new Date(now) }
}

/** Writes the headers of an attempt; the parameters are those of {@link writeRequest}. */
export function writeHeaders(
  message: Message,
  { kind, filter: { format }, secretToken, headers: own, signingSecrets }: OpenReceiver,
  body: string,
  version: string,
  now: number,
): Record<string, string> {
  const { deliveryId, attempt, event, replayOf = null, isTest = false } = message
  const contentType = format === 'cloudevents-structured' ? structuredType : 'application/json'
  const headers = { [names.contentType]: contentType, [names.userAgent]: `Floe/${version}` }
  if (kind === 'chat') return headers
  const timestamp = Math.floor(now / 1_000)
  return {
    ...own,
    ...headers,
    ...(secretToken !== null && { [names.secretToken]: secretToken }),
    [names.id]: deliveryId,
    [names.timestamp]: String(timestamp),
    [names.signature]: signMessage(signingSecrets, { id: deliveryId, timestamp, body }),
    [names.attempt]: String(attempt),
    [names.sequence]: String(event.sequence),
    ...(replayOf !== null && { [names.replayOf]: replayOf }),
    ...(isTest && { [names.test]: 'true' }),
    ...(format === 'cloudevents-binary' && writeAttributeHeaders(toDelivered(message, now))),
  }
}

/**
 * Signs a message by the Standard Webhooks specification: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.
 * Signatures of several secrets are separated by spaces, so that a receiver that knows one of them accepts the message
 * during a rotation.
 *
 * @param secrets `whsec_` and the base64 of the key
 */
export function signMessage(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  return secrets
    .map((secret) => {
      const key = secret.replace(/^whsec_/, '')
      // In Node.js 24, signing with a key as text takes a quarter of the time of the same key as bytes.
      const hmac = createHmac('sha256', key, { encoding: 'base64' })
      return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
