export {
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
  type ApiKeyGrant,
  type Role,
} from './api-keys.ts'
export { finishAttempts, type AttemptOutcome, type FinishedAttempt, type NextStep } from './attempts.ts'
export {
  disableConfiguration,
  enableConfiguration,
  listConfigurations,
  listRepositoriesWithReceivers,
  type ChatService,
  type Configuration,
  type ConfigurationKind,
  type EventName,
  type Resume,
} from './configurations.ts'
export { applyDeclaredConfigurations, type DeclaredConfiguration } from './declared-configurations.ts'
export { claimDeliveries, nextDueAt, redeliver, type ClaimedDelivery, type ClaimOptions } from './deliveries.ts'
export { readHead, recordHeadMove, type Head, type HeadMove } from './heads.ts'
export { openDatabase, DatabaseError, type Database } from './open-database.ts'
export { rememberRepository } from './repositories.ts'
export { deleteExpired, type Expiry } from './retention.ts'
