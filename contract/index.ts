// @floe/contract: every route, body and problem of Floe's HTTP API, and the notification that webhooks receive.
import { c } from './dsl.ts'
import { audit } from './routes/audit.ts'
import { chats } from './routes/chats.ts'
import { datasets } from './routes/datasets.ts'
import { deliveries } from './routes/deliveries.ts'
import { diff } from './routes/diff.ts'
import { discovery } from './routes/discovery.ts'
import { documents } from './routes/documents.ts'
import { history } from './routes/history.ts'
import { events } from './routes/events.ts'
import { keys } from './routes/keys.ts'
import { mcp } from './routes/mcp.ts'
import { operations } from './routes/operations.ts'
import { repositories } from './routes/repositories.ts'
import { settings } from './routes/settings.ts'
import { storageEvents } from './routes/storage-events.ts'
import { webhooks } from './routes/webhooks.ts'

/** All routes of the service. */
export const contract = c.router({
  discovery,
  datasets,
  history,
  diff,
  events,
  mcp,
  documents,
  repositories,
  storageEvents,
  webhooks,
  chats,
  deliveries,
  keys,
  audit,
  settings,
  operations,
})

export type { RouteMetadata } from './dsl.ts'
export { snapshotHeader } from './headers.ts'
export { createNotificationSchema } from './create-notification-schema.ts'
export { listRoutes } from './list-routes.ts'
export { ApiKey, ApiKeyId, CreatedApiKey, NewApiKey, Role } from './schemas/api-key.ts'
export { AuditEntry } from './schemas/audit.ts'
export { ChangedChat, Chat, ChatChange, ChatCheck, ChatService, NewChat } from './schemas/chat.ts'
export { Alias, ReceiverCheck, Resume, Warning } from './schemas/receiver.ts'
export { problemDefinitions, formatProblemType, type ProblemCode, type ProblemType } from './problems.ts'
export { DatasetDict, DatasetInfo, DatasetKeys } from './schemas/dataset.ts'
export { Delivery, DeliveryAttempt, DeliveryDetails, DeliveryState } from './schemas/delivery.ts'
export { Diff } from './schemas/diff.ts'
export { DatasetList, RefList, RepositoryList } from './schemas/discovery.ts'
export { HistoryCommit, HistoryPage } from './schemas/history.ts'
export { DeploymentName, GroupPath, OrgName, RefName, RepoName, SnapshotId } from './schemas/names.ts'
export {
  CommitsUnavailableReason,
  NewCommit,
  SentNewCommit,
  type NewCommitDetails,
  type NotificationCommit,
} from './schemas/notification.ts'
export { McpAnswer, McpMessage } from './schemas/mcp.ts'
export { Problem, type ProblemError } from './schemas/problem.ts'
export { Operation, OperationsPage, RepositorySummary } from './schemas/repository.ts'
export {
  EventBridgeEvent,
  EventGridEvents,
  PubSubPush,
  S3Event,
  SnsMessage,
  StorageEventAnswer,
  StorageEvents,
} from './schemas/storage-event.ts'
export { HeadCheck, WatchedRepository } from './schemas/watched-repository.ts'
export {
  ChangedWebhook,
  CreatedWebhook,
  NewWebhook,
  RotatedWebhook,
  SigningSecret,
  Webhook,
  WebhookChange,
  WebhookCheck,
} from './schemas/webhook.ts'
export { type ViewName, viewNames } from './view-names.ts'
