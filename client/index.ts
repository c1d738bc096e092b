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
  DeliveryAddress,
  DiffAddress,
  GroupAddress,
  GroupOfSnapshot,
  Notified,
  ReceiverAddress,
  RefAddress,
  RepositoryAddress,
} from './addresses.ts'
export type {
  AdminClient,
  ChatMethods,
  DeliveryMethods,
  DeliverySelection,
  KeyMethods,
  PageSelection,
  RepositoryMethods,
  WebhookMethods,
} from './admin-client.ts'
export type { CallOptions, ChangeOptions, Versioned, VersionedOptions, VersionedView } from './requests/calls.ts'
export type { BrowseSelection, Client, CommitIterator, SnapshotClient, VersionedViews } from './client.ts'
export { createAdminClient } from './create-admin-client.ts'
export { createClient, type ClientOptions } from './create-client.ts'
export {
  ContractViolationError,
  FloeError,
  NetworkError,
  ProblemResponseError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
export type { EventSelection, RecordedEvent } from './follow-events.ts'
export {
  HistoryRewrittenError,
  type HistoryPageSelection,
  type HistorySelection,
  type OperationsSelection,
} from './history.ts'
export * from './receiver/index.ts'
export type { ConnectionOptions } from './requests/connection.ts'
export type {
  ApiKey,
  ApiKeyList,
  AuditEntry,
  AuditPage,
  ChangedChat,
  ChangedWebhook,
  Chat,
  ChatChange,
  ChatToTest,
  ChatList,
  ChatService,
  CommitsUnavailableReason,
  CreatedApiKey,
  CreatedWebhook,
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  DatasetList,
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryPage,
  DeliveryState,
  Diff,
  HeadCheck,
  HistoryCommit,
  HistoryPage,
  JsonValue,
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
  TestResult,
  RefList,
  RepositoryList,
  RepositorySummary,
  Resume,
  Role,
  RotatedWebhook,
  StorageEventAnswer,
  StorageEvents,
  Warning,
  WatchedRepository,
  WatchedRepositoryList,
  Webhook,
  WebhookChange,
  WebhookToTest,
  WebhookList,
} from './generated/types.ts'
