// @floe/contract: every route, body and problem of Floe's HTTP API, and the notification that webhooks receive. The `description` of a
// schema documents it, here and in the OpenAPI document.
import { c } from './dsl.ts'
import { audit } from './routes/administration/audit.ts'
import { datasets } from './routes/metadata/datasets.ts'
import { deliveries } from './routes/administration/deliveries.ts'
import { diff } from './routes/metadata/diff.ts'
import { discovery } from './routes/metadata/discovery.ts'
import { documents } from './routes/documents.ts'
import { history } from './routes/metadata/history.ts'
import { events } from './routes/metadata/events.ts'
import { keys } from './routes/administration/keys.ts'
import { mcp } from './routes/metadata/mcp.ts'
import { chats, webhooks } from './routes/administration/receivers.ts'
import { repositories, settings, storageEvents } from './routes/administration/repositories.ts'
import { monitoring } from './routes/monitoring.ts'

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
  monitoring,
})

export { listRoutes, type RouteMetadata } from './dsl.ts'
export { headersByStatus, rateLimitHeaders, type ResponseHeader, responseHeaders } from './headers.ts'
export { contentTypes, mediaTypes } from './media-types.ts'
export { notificationHeaders } from './notification-headers.ts'
export { ApiKey, ApiKeyId, CreatedApiKey, NewApiKey, Role } from './schemas/administration/api-key.ts'
export { AuditEntry } from './schemas/administration/audit.ts'
export { ChangedChat, Chat, ChatChange, ChatToTest, ChatService, NewChat } from './schemas/administration/chat.ts'
export { Alias, TestResult, Resume, Warning } from './schemas/administration/receiver.ts'
export type { Health } from './routes/monitoring.ts'
export { problemDefinitions, type ProblemCode } from './problems.ts'
export { DatasetDict, DatasetInfo, DatasetKeys, JsonValue } from './schemas/metadata/dataset.ts'
export { Delivery, DeliveryAttempt, DeliveryDetails, DeliveryState } from './schemas/administration/delivery.ts'
export { Diff } from './schemas/metadata/diff.ts'
export { DatasetList, RefList, RepositoryList } from './schemas/metadata/discovery.ts'
export { HistoryCommit, HistoryPage } from './schemas/metadata/history.ts'
export { maxNotifiedLength, maxSummarizedLength } from './schemas/values.ts'
export { DeploymentName, GroupPath, OrgName, RefName, RepoName, SnapshotId } from './schemas/names.ts'
export {
  CommitsUnavailableReason,
  createNotificationSchema,
  NewCommit,
  SentNewCommit,
  type NewCommitDetails,
  type NotificationCommit,
} from './schemas/notification.ts'
export { McpAnswer, McpMessage } from './schemas/metadata/mcp.ts'
export { formatProblemType, Problem, type ProblemError, ProblemType } from './schemas/problem.ts'
export { Operation, OperationsPage } from './schemas/metadata/operation.ts'
export { RepositorySummary } from './schemas/metadata/repository.ts'
export {
  EventBridgeEvent,
  EventGridEvents,
  PubSubPush,
  S3Event,
  SnsMessage,
  StorageEventAnswer,
  StorageEvents,
} from './schemas/administration/storage-event.ts'
export { HeadCheck, WatchedRepository } from './schemas/administration/watched-repository.ts'
export {
  ChangedWebhook,
  CreatedWebhook,
  NewWebhook,
  RotatedWebhook,
  SigningSecret,
  Webhook,
  WebhookChange,
  WebhookToTest,
} from './schemas/administration/webhook.ts'
export { type ViewName, viewNames } from './view-names.ts'
