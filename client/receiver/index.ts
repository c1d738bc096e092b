/**
 * @floe/client/receiver: receives, verifies and parses the notifications of webhooks.
 *
 * @packageDocumentation
 */
export { toExpressHandler, toFastifyPlugin, toNodeListener } from './adapters.ts'
export {
  createReceiver,
  type ExpectationEvent,
  type RemarkEvent,
  type Notice,
  type ReceivedDelivery,
  type ReceiverOptions,
  type RefEvent,
} from './create-receiver.ts'
export { NotificationError, parseNotification } from './parse-notification.ts'
export { type HeaderValue, verifySecretToken } from './verify-secret-token.ts'
export { type SignedRequest, verifySignature } from './verify-signature.ts'
export type * from '../generated/event-types.ts'
export type { ProblemError } from '../generated/types.ts'
