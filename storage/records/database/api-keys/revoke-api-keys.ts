import type { Database } from '../open-database.ts'
import { type ApiKey, toApiKey } from './api-keys.ts'

export type RevocationOptions = {
  readonly now: Date
  /** Whether the keys that were created with it stay valid. */
  readonly keepsDescendants: boolean
}

/**
 * Revokes a key and, unless `keepsDescendants`, all keys that descend from it. Returns the keys that were valid until
 * now; none when no key has this id. Call it within a transaction.
 */
export async function revokeApiKey(
  tx: Database,
  id: string,
  { now, keepsDescendants }: RevocationOptions,
): Promise<readonly ApiKey[]> {
  const rows = await tx
    .updateTable('api_keys')
    .set({ revoked_at: now.getTime() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .execute()
  const descendants = keepsDescendants ? [] : await revokeDescendants(tx, [id], now)
  return [...rows.map(toApiKey), ...descendants]
}

/**
 * Revokes all keys that were created with these, directly or through other keys. Revoke the keys themselves first, in
 * the same transaction. Returns the keys that were valid until now.
 */
export async function revokeDescendants(tx: Database, ids: readonly string[], now: Date): Promise<readonly ApiKey[]> {
  const revoked: ApiKey[] = []
  if (ids.length === 0) return revoked
  // Creating a key locks the row of its creator, so revoking the creator waited for concurrent creations, and the next
  // statement sees their keys. Revoked keys create no more, so the loop ends.
  for (;;) {
    const rows = await tx
      .withRecursive('descendants(id)', (query) =>
        query
          .selectFrom('api_keys')
          .select('api_keys.id')
          .where('api_keys.created_by', 'in', [...ids])
          .union(
            query
              .selectFrom('api_keys')
              .innerJoin('descendants', 'descendants.id', 'api_keys.created_by')
              .select('api_keys.id'),
          ),
      )
      .updateTable('api_keys')
      .set({ revoked_at: now.getTime() })
      .where('revoked_at', 'is', null)
      .where('id', 'in', (query) => query.selectFrom('descendants').select('descendants.id'))
      .returningAll()
      .execute()
    if (rows.length === 0) return revoked
    for (const row of rows) revoked.push(toApiKey(row))
  }
}
