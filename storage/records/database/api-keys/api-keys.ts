// API keys: `floe_` + id + `_` + 256 random bits. The id finds the row. The row holds only the SHA-256 of the whole
// key, as `printf %s "$KEY" | sha256sum` prints it. The key is random, so the hash needs neither salt nor stretching.
import type { Role } from '@floe/contract/lists'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { ApiKeysTable } from '../tables.ts'
import { toDate } from '../to-date.ts'

/** A key's record, without its secret. */
export type ApiKey = {
  readonly id: string
  readonly org: string
  /** Name for people, which other keys can have too; null when it was given none. */
  readonly name: string | null
  readonly role: Role
  /** Names of the repositories that the key is limited to; null means all of the organisation. */
  readonly repos: readonly string[] | null
  readonly isDeclared: boolean
  readonly createdAt: Date
  /** Id of the API key or of the account that created it; null when an operator created it. */
  readonly createdBy: string | null
  readonly expiresAt: Date | null
  /** Updated at most once a minute. */
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export type ApiKeyGrant = Pick<ApiKey, 'org' | 'role' | 'repos'> &
  Partial<Pick<ApiKey, 'name' | 'expiresAt' | 'createdBy'>>

/** Shortest time between two updates of `last_used_at`, in milliseconds. */
const useIntervalMs = 60_000

const keyForm = /^floe_(?<id>[0-9a-f]{16})_[A-Za-z0-9_-]{43}$/

/**
 * Returns the id and the SHA-256 of a key, as the database stores them. Undefined when the text does not have the form
 * of a key.
 */
export function identifyApiKey(text: string): { readonly id: string; readonly sha256: Buffer } | undefined {
  const id = keyForm.exec(text)?.groups?.['id']
  return id === undefined ? undefined : { id, sha256: hash(text) }
}

/** Creates an API key and returns its text. The text is not stored. */
export async function createApiKey(db: Database, grant: ApiKeyGrant, now: Date): Promise<string> {
  const id = randomBytes(8).toString('hex')
  const text = `floe_${id}_${randomBytes(32).toString('base64url')}`
  await db
    .insertInto('api_keys')
    .values({
      id,
      org: grant.org,
      name: grant.name ?? null,
      role: grant.role,
      repos: grant.repos && JSON.stringify(grant.repos),
      secret_hash: hash(text),
      is_declared: 0,
      is_bootstrap: 0,
      created_at: now.getTime(),
      created_by: grant.createdBy ?? null,
      expires_at: grant.expiresAt?.getTime() ?? null,
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
  return text
}

/**
 * Finds the record of a valid key. Undefined for a malformed, unknown, wrong, expired or revoked key, without saying
 * which.
 */
export async function findApiKey(db: Database, text: string, now: Date): Promise<ApiKey | undefined> {
  const { id, sha256 } = identifyApiKey(text) ?? {}
  if (id === undefined || sha256 === undefined) return undefined
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !timingSafeEqual(row.secret_hash, sha256) || row.revoked_at !== null) return undefined
  const key = toApiKey(row)
  return isExpired(key, now) ? undefined : key
}

export function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** Reads the record of a key by its id, even if the key is expired or revoked. */
export async function readApiKey(db: Database, id: string): Promise<ApiKey | undefined> {
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toApiKey(row)
}

/** Lists all keys of an organisation, including revoked ones, oldest first. */
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

/**
 * Lists keys of an organisation, including revoked ones, newest first.
 *
 * @param before lists the keys that are older than this one, or none if it is unknown; undefined for the newest
 */
export async function listNewestApiKeys(
  db: Database,
  org: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<ApiKey[]> {
  const last = db.selectFrom('api_keys').select(['created_at', 'id']).where('org', '=', org)
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('org', '=', org)
    .$if(before !== undefined, (query) =>
      query.where(sql<SqlBool>`(created_at, id) < ${last.where('id', '=', before ?? null)}`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toApiKey)
}

/** Reads the keys with these ids that are neither revoked nor expired, by id. */
export async function listValidApiKeys(
  db: Database,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ApiKey>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where(isOneOf(db, 'id', ids))
    .where('revoked_at', 'is', null)
    .execute()
  const keys = rows.map(toApiKey).filter((key) => !isExpired(key, now))
  return new Map(keys.map((key) => [key.id, key]))
}

/** Records that a key was used, unless a process did so within the last minute. */
export async function recordApiKeyUse(db: Database, id: string, now: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now.getTime() })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', now.getTime() - useIntervalMs)]),
    )
    .execute()
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function toApiKey(row: Selectable<ApiKeysTable>): ApiKey {
  return {
    id: row.id,
    org: row.org,
    name: row.name,
    role: row.role,
    // Only lists of names are written to this column.
    repos: row.repos === null ? null : (JSON.parse(row.repos) as string[]),
    isDeclared: row.is_declared === 1,
    createdAt: new Date(row.created_at),
    createdBy: row.created_by,
    expiresAt: toDate(row.expires_at),
    lastUsedAt: toDate(row.last_used_at),
    revokedAt: toDate(row.revoked_at),
  }
}
