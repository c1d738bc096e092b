export {
  createApiKey,
  findApiKey,
  identifyApiKey,
  isExpired,
  listApiKeys,
  readApiKey,
  recordApiKeyUse,
  revokeApiKey,
  type ApiKey,
  type ApiKeyGrant,
  type Role,
} from './api-keys.ts'
export { finishAttempts, type AttemptOutcome, type FinishedAttempt, type NextStep } from './deliveries/attempts.ts'
export {
  listAudit,
  recordAudit,
  type AuditEntry,
  type AuditOf,
  type AuditQuery,
  type AuditScope,
  type RecordedAudit,
} from './audit.ts'
export {
  createConfiguration,
  deleteConfiguration,
  dropsSecretToken,
  maxConfigurations,
  rotateSigningSecret,
  updateConfiguration,
  type AliasInUse,
  type ChangeOptions,
  type ChangeRefusal,
  type ConfigurationChange,
  type EditOptions,
  type NewConfiguration,
} from './receivers/change-receiver.ts'
export { newSigningSecret, openReceiver, type Receiver } from './receivers/receiver-secrets.ts'
export {
  countHeld,
  findConfiguration,
  listConfigurations,
  listRepositoriesWithReceivers,
  type ChatService,
  type Configuration,
  type ConfigurationAddress,
  type ConfigurationKind,
  type EventName,
  type SigningSecret,
} from './receivers/receivers.ts'
export { applyDeclaredApiKeys, type DeclaredApiKey } from './declared-api-keys.ts'
export {
  applyDeclaredConfigurations,
  listRepositoriesWithDeclared,
  type DeclaredConfiguration,
} from './receivers/declared-receivers.ts'
export {
  claimDeliveries,
  nextDueAt,
  redeliver,
  type ClaimedDelivery,
  type ClaimOptions,
  type DeliveryAddress,
} from './deliveries/deliveries.ts'
export {
  findDelivery,
  listDeliveries,
  type DeliveryDetails,
  type DeliveryQuery,
  type DeliveryRecord,
  type DeliveryState,
  type RecordedAttempt,
} from './deliveries/delivery-log.ts'
export { isDatabaseUnavailable } from './engine.ts'
export { noteFormatVersion, readHead, recordHeadMove, type Head, type HeadMove, type RecordedMove } from './heads.ts'
export { databaseFile, openDatabase, DatabaseError, type Database } from './open-database.ts'
export { rememberRepository } from './repositories.ts'
export { type Resume } from './queue.ts'
export { resealSecrets, rotateKeyFile } from './receivers/reseal.ts'
export { deleteExpired, type Expiry } from './retention.ts'
