export { type FilteredCheck, matchesFilter, writeFilter } from '../event-filter.ts'
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
export { revokeApiKey } from './api-keys/revoke-api-keys.ts'
export * from './api-keys/audited-api-keys.ts'
export * from './api-keys/authorizations.ts'
export * from './api-keys/declared-api-keys.ts'
export * from './audit.ts'
export * from './checks/check.ts'
export * from './checks/list-checks.ts'
export * from './checks/post-checks.ts'
export * from './deliveries/advance-queues.ts'
export type { AttemptOutcome, ClaimedDelivery, FinishedAttempt, NextStep } from './deliveries/attempts.ts'
export type { ClaimOptions } from './deliveries/lease-queues.ts'
export * from './deliveries/delivery-log.ts'
export * from './deliveries/delivery-rates.ts'
export * from './deliveries/gather-digest.ts'
export * from './deliveries/queue-state.ts'
export * from './deliveries/record-state-changes.ts'
export * from './deliveries/redeliver.ts'
export * from './deliveries/replay.ts'
export { readClock } from './engine/engine.ts'
export {
  AliasInUseError,
  explainMissingDelivery,
  explainMissingExpectation,
  explainMissingReceiver,
  explainMissingRemark,
  RecordProblem,
} from './record-problem.ts'
export { readEventBounds, readEvents, recordStream, type EventBounds, type StreamEvent } from './events/read-events.ts'
export * from './events/list-expectation-events.ts'
export { listMoveQuestions, type MoveQuestions } from './events/move-questions.ts'
export type { EventTexts, MoveChanges } from './events/new-event.ts'
export * from './events/record-head-move.ts'
export type { Notice } from './events/record-notice.ts'
export * from './events/record-readability.ts'
export * from './events/record-ref-change.ts'
export { findTellTime, listDueTimes } from './expectations/assess-branch.ts'
export * from './expectations/expectation.ts'
export * from './expectations/change-expectations.ts'
export * from './expectations/declared-expectations.ts'
export * from './expectations/list-states.ts'
export * from './expectations/listeners.ts'
export * from './expectations/read-expectations.ts'
export * from './expectations/record-judgements.ts'
export * from './good/judge-heads.ts'
export {
  countKnownContainers,
  type DeclaredContainers,
  listContainers,
  recordContainers,
  unreadableContainers,
} from './heads/containers.ts'
export * from './heads/heads.ts'
export * from './heads/recorded-refs.ts'
export * from './heads/ref-selection.ts'
export { maxSeenHeads, rememberHead } from './heads/seen-heads.ts'
export * from './heads/stream-selections.ts'
export * from './heads/wanted-selections.ts'
export type { LanedDatabase } from './lanes.ts'
export { readSchemaVersion, type SchemaVersion } from './migrations/index.ts'
export {
  databaseFile,
  isDatabaseUrl,
  nameDatabase,
  openDatabase,
  openUnmigrated,
  DatabaseError,
  DatabaseLockedError,
  type Database,
  type DatabaseLimits,
} from './open-database.ts'
export * from './receivers/add-receiver.ts'
export { recordReceiverTest } from './receivers/audit-receiver.ts'
export * from './receivers/change-receiver.ts'
export * from './receivers/declared-receivers.ts'
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
  listTroubledReceivers,
  disabledColumns,
  type Receiver,
  type ReceiverAddress,
  type ReceiverOwner,
} from './receivers/receivers.ts'
export * from './receivers/reseal.ts'
export { rotateSigningSecret } from './receivers/rotate-signing-secret.ts'
export * from './remarks/change-remarks.ts'
export * from './remarks/find-remarks.ts'
export * from './remarks/remark.ts'
export * from './remarks/retracted-datasets.ts'
export type { Lease } from './replicas/leases.ts'
export * from './replicas/replicas.ts'
export { listMoves } from './repository-list/count-moves.ts'
export * from './repository-list/list-coverage.ts'
export * from './repository-list/list-troubles.ts'
export * from './replicas/replica-signals.ts'
export {
  batchRegistrations,
  ensureRepositories,
  listRecordedNames,
  listRecordedOrgs,
  listRepositoriesOfPartitions,
  type PartitionRange,
  type RecordedRepository,
} from './repositories.ts'
export {
  maxNameChanges,
  openSourceRecords,
  type NameChange,
  type SourceRecords,
} from './repository-list/source-names.ts'
export * from './retention.ts'
export {
  findHeadToIndex,
  finishIndexing,
  type HeadToIndex,
  IndexLeaseLostError,
  leaseHead,
  type LeasedHead,
  postponeIndexing,
} from './search/index-heads.ts'
export { forgetIndex, removeOutdated, recordMetadata } from './search/reset-index.ts'
export * from './search/index-shards.ts'
export * from './search/index-state.ts'
export { openSearchDatabase } from './search/open-search-database.ts'
export * from './search/read-shards.ts'
export { type ShardBounds, timeLimits } from './search/search-tables.ts'
export * from './sessions.ts'
export { explainUnavailable, unlessUnavailable } from './engine/statement-errors.ts'
export { transact } from './transact.ts'
