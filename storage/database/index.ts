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
export { finishAttempts, type AttemptOutcome, type FinishedAttempt, type NextStep } from './attempts.ts'
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
} from './change-configuration.ts'
export { newSigningSecret, openReceiver, type Receiver } from './configuration-secrets.ts'
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
} from './configurations.ts'
export { applyDeclaredApiKeys, type DeclaredApiKey } from './declared-api-keys.ts'
export {
  applyDeclaredConfigurations,
  listRepositoriesWithDeclared,
  type DeclaredConfiguration,
} from './declared-configurations.ts'
export {
  claimDeliveries,
  nextDueAt,
  redeliver,
  type ClaimedDelivery,
  type ClaimOptions,
  type DeliveryAddress,
} from './deliveries.ts'
export {
  findDelivery,
  listDeliveries,
  type DeliveryDetails,
  type DeliveryQuery,
  type DeliveryRecord,
  type DeliveryState,
  type RecordedAttempt,
} from './delivery-log.ts'
export { isDatabaseUnavailable } from './engine.ts'
export { noteFormatVersion, readHead, recordHeadMove, type Head, type HeadMove, type RecordedMove } from './heads.ts'
export { databaseFile, openDatabase, DatabaseError, type Database } from './open-database.ts'
export { rememberRepository } from './repositories.ts'
export { type Resume } from './lines.ts'
export { resealSecrets, rotateKeyFile } from './reseal.ts'
export { deleteExpired, type Expiry } from './retention.ts'
