export {
  createApiKey,
  findApiKey,
  identifyApiKey,
  isExpired,
  listApiKeys,
  listNewestApiKeys,
  listValidApiKeys,
  readApiKey,
  recordApiKeyUse,
  type ApiKey,
  type ApiKeyGrant,
} from './api-keys/api-keys.ts'
export { revokeApiKey, type RevocationOptions } from './api-keys/revoke-api-keys.ts'
export * from './api-keys/audited-api-keys.ts'
export * from './errors.ts'
export * from './deliveries/advance-queues.ts'
export { type ClaimOptions, nameQueue } from './deliveries/claim-queues.ts'
export type { AttemptOutcome, ClaimedDelivery, FinishedAttempt, NextStep } from './deliveries/attempts.ts'
export * from './audit.ts'
export * from './receivers/add-receiver.ts'
export { recordReceiverTest } from './receivers/audit-receiver.ts'
export * from './receivers/change-receiver.ts'
export { rotateSigningSecret } from './receivers/rotate-signing-secret.ts'
export {
  isMaskedUrl,
  maskUrl,
  newSigningSecret,
  openReceiver,
  openUrl,
  type OpenReceiver,
} from './receivers/receiver-secrets.ts'
export {
  countHeld,
  findReceiver,
  listAllReceivers,
  listReceivers,
  defaultFilter,
  type Receiver,
  type ReceiverAddress,
  type ReceiverFilter,
  type ReceiverOwner,
  type SigningSecret,
} from './receivers/receivers.ts'
export * from './api-keys/declared-api-keys.ts'
export * from './receivers/declared-receivers.ts'
export * from './deliveries/queue-state.ts'
export * from './deliveries/redeliver.ts'
export * from './deliveries/replay.ts'
export * from './deliveries/delivery-log.ts'
export { explainUnavailable, readClock } from './engine.ts'
export {
  readEventBounds,
  readEvents,
  recordStream,
  type EventBounds,
  type EventPage,
  type EventQuery,
  type PlacedEvent,
} from './events/read-events.ts'
export { listChangeFilters, type ChangeFilters, type EventTexts, type MoveChanges } from './events/record-event.ts'
export * from './events/record-head-move.ts'
export type { DescribeNotice, Notice } from './events/record-notice.ts'
export * from './events/record-readability.ts'
export * from './events/record-ref-change.ts'
export * from './heads/heads.ts'
export * from './heads/selection.ts'
export * from './heads/stream-selections.ts'
export * from './heads/subscriptions.ts'
export * from './heads/watched-refs.ts'
export type { LanedDatabase } from './lanes.ts'
export {
  databaseFile,
  nameDatabase,
  openDatabase,
  openUnmigrated,
  DatabaseError,
  type Database,
  type DatabaseLimits,
} from './open-database.ts'
export * from './replicas/replicas.ts'
export * from './replicas/replica-signals.ts'
export {
  batchRegistrations,
  ensureRepositories,
  listRecordedNames,
  listRecordedOrgs,
  listRepositoriesOfShards,
  type ShardRange,
} from './repositories.ts'
export {
  maxNameChanges,
  openSourceRecords,
  type NameChange,
  type NameChanges,
  type SourceRecords,
} from './source-names.ts'
export { type Resume } from './receivers/queue.ts'
export * from './receivers/reseal.ts'
export * from './retention.ts'
export { countFacets } from './search/facets.ts'
export * from './search/index-datasets.ts'
export {
  extendLease,
  findHeadToIndex,
  finishIndexing,
  forgetIndex,
  type HeadToIndex,
  IndexLeaseLostError,
  postponeIndexing,
  removeOtherBranches,
} from './search/index-heads.ts'
export * from './search/index-state.ts'
export * from './search/search-datasets.ts'
export { deleteUnusedTerms, type TermKind, termKinds } from './search/terms.ts'
export { readSchemaVersion, type SchemaVersion } from './migrations/index.ts'
export { type ChatService, type EventName, type ReceiverKind, type Role } from './tables.ts'
