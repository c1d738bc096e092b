import { type ApiKey, toApiKey } from './api-keys.ts'
import type { Database } from '../open-database.ts'

export type RevocationOptions = {
  readonly now: Date
  /** Whether the keys that were made with it stay valid. */
  readonly keepsDescendants: boolean
}

/**
 * Revokes a key and, unless told otherwise, the keys that were made with it, with those, and so on. Returns the keys that
 * were valid until now; none when no key has this id. Call it within a transaction.
 */
export async function revokeApiKey(
  tx: Database,
  id: string,
  { now, keepsDescendants }: RevocationOptions,
): Promise<readonly ApiKey[]> {
  const rows = await tx
    .updateTable('api_keys')
    .set({ revoked_at: now.toISOString() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .execute()
  const descendants = keepsDescendants ? [] : await revokeDescendants(tx, [id], now)
  return [...rows.map(toApiKey), ...descendants]
}

/**
 * Revokes all keys that were made with these, with keys that were made with these, and so on. Revoke the keys themselves
 * before, in the same transaction. Returns the keys that were valid until now.
 */
export async function revokeDescendants(tx: Database, ids: readonly string[], now: Date): Promise<readonly ApiKey[]> {
  const revoked: ApiKey[] = []
  if (ids.length === 0) return revoked
  // A key that another transaction was making is seen by the next statement: making one locks the row of its maker, so the
  // update of that row has waited for it. Revoked keys make no more, so this ends.
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
      .set({ revoked_at: now.toISOString() })
      .where('revoked_at', 'is', null)
      .where('id', 'in', (query) => query.selectFrom('descendants').select('descendants.id'))
      .returningAll()
      .execute()
    if (rows.length === 0) return revoked
    for (const row of rows) revoked.push(toApiKey(row))
  }
}
