// API keys: `floe_` + id + `_` + 256 random bits. The id finds the row; of the secret only a SHA-256 is kept, which needs no salt or
// stretching because the secret is random.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from './open-database.ts'

/** What a key allows: `reader` reads metadata, `admin` also administers. */
export type Role = 'reader' | 'admin'

/** A key's record, without its secret. */
export type ApiKey = {
  readonly id: string
  readonly org: string
  readonly role: Role
  /** Names of the repositories that the key is limited to; null means all of the organisation. */
  readonly repos: readonly string[] | null
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

/** What a new key is made for. */
export type ApiKeyGrant = Pick<ApiKey, 'org' | 'role' | 'repos'>

const keyForm = /^floe_(?<id>[0-9a-f]{16})_(?<secret>[A-Za-z0-9_-]{43})$/

/** Makes a key and returns its text, which cannot be had again. */
export async function createApiKey(db: Database, grant: ApiKeyGrant, now: Date): Promise<string> {
  const id = randomBytes(8).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('api_keys')
    .values({
      id,
      org: grant.org,
      role: grant.role,
      repos: grant.repos && JSON.stringify(grant.repos),
      secret_hash: hashSecret(secret),
      created_at: now.toISOString(),
      revoked_at: null,
    })
    .execute()
  return `floe_${id}_${secret}`
}

/** The record of a valid key, or undefined: malformed, unknown, wrong secret and revoked cannot be told apart. */
export async function findApiKey(db: Database, key: string): Promise<ApiKey | undefined> {
  const { id, secret } = keyForm.exec(key)?.groups ?? {}
  if (id === undefined || secret === undefined) return undefined
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !timingSafeEqual(row.secret_hash, hashSecret(secret)) || row.revoked_at !== null) return undefined
  return toApiKey(row)
}

/** All keys of an organisation, revoked ones too, oldest first. */
export async function listApiKeys(db: Database, org: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('org', '=', org)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toApiKey)
}

/** Revokes a key; false when no unrevoked key has this id. */
export async function revokeApiKey(db: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: now.toISOString() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function toApiKey(row: {
  id: string
  org: string
  role: Role
  repos: string | null
  created_at: string
  revoked_at: string | null
}): ApiKey {
  return {
    id: row.id,
    org: row.org,
    role: row.role,
    // Written by createApiKey alone, from a list of names.
    repos: row.repos === null ? null : (JSON.parse(row.repos) as string[]),
    createdAt: new Date(row.created_at),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
  }
}
