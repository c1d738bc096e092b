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
  addReceiver,
  deleteReceiver,
  dropsSecretToken,
  maxReceivers,
  rotateSigningSecret,
  updateReceiver,
  type AliasInUse,
  type ChangeOptions,
  type ChangeRefusal,
  type ReceiverChange,
  type EditOptions,
  type NewReceiver,
} from './receivers/change-receiver.ts'
export { newSigningSecret, openReceiver, type OpenReceiver } from './receivers/receiver-secrets.ts'
export {
  countHeld,
  findReceiver,
  listReceivers,
  listRepositoriesWithReceivers,
  type ChatService,
  type Receiver,
  type ReceiverAddress,
  type ReceiverKind,
  type EventName,
  type SigningSecret,
} from './receivers/receivers.ts'
export { applyDeclaredApiKeys, type DeclaredApiKey } from './declared-api-keys.ts'
export {
  applyDeclaredReceivers,
  listRepositoriesWithDeclared,
  type DeclaredReceiver,
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
