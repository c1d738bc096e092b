/**
 * @floe/client: typed clients of Floe for readers and administrators, and functions for receivers of its webhooks. Runs in Node
 * 22.18 or newer, browsers, workers, Deno and Bun.
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
export type {
  ApiKeyAddress,
  ReceiverAddress,
  DeliveryAddress,
  DiffAddress,
  GroupAddress,
  RefAddress,
  RepositoryAddress,
} from './addresses.ts'
export type { ConnectionOptions } from './connection.ts'
export {
  createAdminClient,
  type AdminClient,
  type DeliverySelection,
  type PageSelection,
} from './create-admin-client.ts'
export { createClient, type Client, type ClientOptions } from './create-client.ts'
export {
  ContractViolationError,
  FloeError,
  NetworkError,
  ProblemResponseError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
export {
  HistoryRewrittenError,
  type HistoryPageSelection,
  type HistorySelection,
  type OperationsSelection,
} from './history.ts'
export type { GroupOfSnapshot, Notified } from './notified.ts'
export type { EventSelection, RecordedEvent } from './follow-events.ts'
export { createReceiver, type ReceivedDelivery, type ReceiverOptions } from './receiver/create-receiver.ts'
export { NotificationError, parseNotification } from './receiver/parse-notification.ts'
export { type HeaderValue, verifySecretToken } from './receiver/verify-secret-token.ts'
export { type SignedRequest, verifySignature } from './receiver/verify-signature.ts'
export type { CallOptions, ChangeOptions, Versioned, VersionedOptions, VersionedView } from './route-caller.ts'
export type {
  ApiKey,
  AuditEntry,
  ChangedChat,
  ChangedWebhook,
  Chat,
  ChatChange,
  ChatCheck,
  ChatService,
  CommitsUnavailableReason,
  CreatedApiKey,
  CreatedWebhook,
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryState,
  Diff,
  HeadCheck,
  HistoryCommit,
  HistoryPage,
  NewApiKey,
  NewChat,
  NewCommit,
  NewCommitDetails,
  NewWebhook,
  NotificationCommit,
  Operation,
  OperationsPage,
  Problem,
  ProblemCode,
  ProblemError,
  ProblemType,
  ReceiverCheck,
  RepositorySummary,
  Resume,
  Role,
  StorageEvents,
  RotatedWebhook,
  Warning,
  WatchedRepository,
  Webhook,
  WebhookChange,
  WebhookCheck,
} from '@floe/contract'
