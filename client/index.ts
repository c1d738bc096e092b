/**
 * @floe/client: the typed client of Floe and what receivers of its webhooks need, for Node 22.18 or newer and for browsers,
 * workers, Deno and Bun.
 *
 * @example
 * ```ts
 * import { createClient } from '@floe/client'
 *
 * const floe = createClient({
 *   baseUrl: 'https://floe.example.org/v1',
 *   deployment: 'tiles',
 *   org: 'acme',
 *   apiKey: 'your-api-key',
 * })
 * const { dimensions } = await floe.info({ repo: 'weather', ref: 'main', group: 'wind/speed' })
 * console.log(dimensions)
 * ```
 *
 * @packageDocumentation
 */
export {
  createClient,
  type Client,
  type ClientOptions,
  type GroupAddress,
  type RepositoryAddress,
} from './create-client.ts'
export {
  ContractViolationError,
  FloeError,
  NetworkError,
  ProblemResponseError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
export { createReceiver, type Delivery, type ReceiverOptions } from './receiver/create-receiver.ts'
export { NotificationError, parseNotification } from './receiver/parse-notification.ts'
export { type HeaderValue, verifySecretToken } from './receiver/verify-secret-token.ts'
export { type SignedRequest, verifySignature } from './receiver/verify-signature.ts'
export type { CallOptions } from './route-reader.ts'
export type {
  CommitsUnavailableReason,
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  NewCommit,
  NewCommitDetails,
  NotificationCommit,
  Problem,
  ProblemCode,
  ProblemError,
  ProblemType,
} from '@floe/contract'
