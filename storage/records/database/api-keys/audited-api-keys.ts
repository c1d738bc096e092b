// Creates and revokes API keys for administrators. Each change and its audit entry are written in one transaction.
import { type AuditedRecord, type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { RecordProblem } from '../record-problem.ts'
import type { Database } from '../open-database.ts'
import { type ApiKey, type ApiKeyGrant, createApiKey, findApiKey } from './api-keys.ts'
import { revokeApiKey, type RevocationOptions } from './revoke-api-keys.ts'
import { transact } from '../transact.ts'

type CreatedApiKey = {
  readonly key: ApiKey
  /** The key itself. It is not stored. */
  readonly text: string
  readonly audit: AuditEntry
}

/**
 * Maximum number of undeclared API keys of an organisation. Revoked and expired keys count until `deleteExpired`
 * deletes them. Operators, who create keys without this function, can exceed it, and so can administrators who create
 * keys at the same moment.
 */
export const maxApiKeys = 5_000

/**
 * Creates an API key in the organisation of the administrator. Undefined when its key was revoked meanwhile.
 *
 * @throws RecordProblem
 */
export async function createAuditedApiKey(
  db: Database,
  grant: Omit<ApiKeyGrant, 'org' | 'createdBy'>,
  options: ChangeOptions,
): Promise<CreatedApiKey | undefined> {
  const { by, now } = options
  return transact(db, async (tx) => {
    if (by.person === undefined && !(await lockCreator(tx, by.id))) return undefined
    if ((await countApiKeys(tx, by.org)) >= maxApiKeys) {
      const limit = `The organisation has ${maxApiKeys} API keys, which is the maximum`
      throw new RecordProblem('too-many-keys', `${limit}; revoked and expired keys count for 90 days`)
    }
    const text = await createApiKey(tx, { ...grant, org: by.org, createdBy: by.id }, now)
    const key = await findApiKey(tx, text, now)
    if (!key) throw new TypeError('the key that was just created cannot be found')
    return { key, text, audit: await recordKeyChange(tx, 'key.create', { before: null, after: key }, options) }
  })
}

/** Revokes an API key like {@link revokeApiKey}. Returns an audit entry for each key that was valid until now. */
export async function revokeAuditedApiKey(
  db: Database,
  id: string,
  options: ChangeOptions & RevocationOptions,
): Promise<readonly AuditEntry[]> {
  return transact(db, async (tx) => {
    const entries: AuditEntry[] = []
    for (const key of await revokeApiKey(tx, id, options)) {
      entries.push(await recordKeyChange(tx, 'key.revoke', { before: key, after: null }, options))
    }
    return entries
  })
}

/**
 * Locks the row of the key that creates another until the end of the transaction. A concurrent revocation then either
 * comes first or finds the new key. False when the key is revoked.
 */
async function lockCreator(tx: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set((row) => ({ last_used_at: row.ref('last_used_at') }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function countApiKeys(tx: Database, org: string): Promise<number> {
  const query = tx.selectFrom('api_keys').select((eb) => eb.fn.countAll<number>().as('count'))
  const { count } = await query.where('org', '=', org).where('is_declared', '=', 0).executeTakeFirstOrThrow()
  return count
}

function recordKeyChange(
  tx: Database,
  action: string,
  { before, after }: { before: ApiKey; after: null } | { before: null; after: ApiKey },
  options: ChangeOptions,
): Promise<AuditEntry> {
  const change = { before: before && describe(before), after: after && describe(after) }
  return recordAudit(tx, { repoId: null, action, subjectId: (before ?? after).id, ...change }, options)
}

function describe({ name, role, repos, expiresAt }: ApiKey): AuditedRecord {
  return { name, role, repos, expires_at: expiresAt?.toISOString() ?? null }
}
