export {
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
  type ApiKeyGrant,
  type Role,
} from './api-keys.ts'
export { openDatabase, DatabaseError, type Database } from './open-database.ts'
export { rememberRepository } from './repositories.ts'
