// Creates and revokes API keys for administrators. Each change and its audit entry are written in one transaction.
import { type ApiKey, type ApiKeyGrant, createApiKey, findApiKey, revokeApiKey } from './api-keys.ts'
import { type AuditEntry, type ChangeOptions, recordAudit } from './audit.ts'
import type { Database } from './open-database.ts'

/** An API key that was just made. */
export type CreatedApiKey = {
  readonly key: ApiKey
  /** The key itself. It is not stored. */
  readonly text: string
  readonly audit: AuditEntry
}

/** Creates an API key in the organisation of the administrator's key. */
export async function createAuditedApiKey(
  db: Database,
  grant: Omit<ApiKeyGrant, 'org' | 'createdBy'>,
  options: ChangeOptions,
): Promise<CreatedApiKey> {
  const { by, now } = options
  return db.transaction().execute(async (tx) => {
    const text = await createApiKey(tx, { ...grant, org: by.org, createdBy: by.id }, now)
    const key = await findApiKey(tx, text, now)
    if (!key) throw new TypeError('a key that was just made is not there')
    return { key, text, audit: await recordKeyChange(tx, 'key.create', { before: null, after: key }, options) }
  })
}

/** Revokes an API key. Writes no audit entry when the key is already revoked. */
export async function revokeAuditedApiKey(
  db: Database,
  key: ApiKey,
  options: ChangeOptions,
): Promise<AuditEntry | undefined> {
  return db.transaction().execute(async (tx) => {
    if (!(await revokeApiKey(tx, key.id, options.now))) return undefined
    return recordKeyChange(tx, 'key.revoke', { before: key, after: null }, options)
  })
}

async function recordKeyChange(
  tx: Database,
  action: string,
  { before, after }: { before: ApiKey; after: null } | { before: null; after: ApiKey },
  { by, now }: ChangeOptions,
): Promise<AuditEntry> {
  const entry = {
    org: by.org,
    repoId: null,
    keyId: by.id,
    action,
    subjectId: (before ?? after).id,
    before: before && describe(before),
    after: after && describe(after),
  }
  await recordAudit(tx, entry, now)
  return entry
}

function describe({ role, repos, expiresAt }: ApiKey): Record<string, unknown> {
  return { role, repos, expires_at: expiresAt?.toISOString() ?? null }
}
