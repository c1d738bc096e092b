import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { ApiKey } from './api-keys.ts'
import { revokeDescendants } from './revoke-api-keys.ts'
import { transact } from '../transact.ts'

/** An API key that the configuration file declares. The file contains the SHA-256 of the key's whole text. */
export type DeclaredApiKey = Pick<ApiKey, 'id' | 'org' | 'name' | 'role' | 'repos' | 'expiresAt'> & {
  readonly sha256: Uint8Array
  /** Whether it only serves to create the first keys, which stay valid when it is removed. */
  readonly isBootstrap: boolean
}

/**
 * Replaces the declared API keys of all organisations. A key that is no longer declared is revoked, together with the
 * keys created with it, unless it is the bootstrap key. A key that is declared again becomes valid again, but not the
 * keys that were created with it.
 */
export async function applyDeclaredApiKeys(
  db: Database,
  declared: readonly DeclaredApiKey[],
  now: Date,
): Promise<void> {
  // Processes that start at the same time lock the rows in the same order, so that they cannot deadlock.
  const sorted = declared.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  await transact(db, async (tx) => {
    for (const key of sorted) await declare(tx, key, now)
    const ids = sorted.map(({ id }) => id)
    const removed = await tx
      .updateTable('api_keys')
      .set({ is_declared: 0, revoked_at: now.getTime() })
      .where('is_declared', '=', 1)
      .where((eb) => eb.not(isOneOf(tx, 'id', ids)))
      .returning(['id', 'is_bootstrap'])
      .execute()
    const creators = removed.filter((key) => key.is_bootstrap === 0).map(({ id }) => id)
    await revokeDescendants(tx, creators, now)
  })
}

async function declare(tx: Database, key: DeclaredApiKey, now: Date): Promise<void> {
  const columns = {
    org: key.org,
    name: key.name,
    role: key.role,
    repos: key.repos && JSON.stringify(key.repos),
    secret_hash: Buffer.from(key.sha256),
    is_declared: 1,
    is_bootstrap: key.isBootstrap ? 1 : 0,
    created_by: null,
    expires_at: key.expiresAt?.getTime() ?? null,
    revoked_at: null,
  } as const
  await tx
    .insertInto('api_keys')
    .values({ ...columns, id: key.id, created_at: now.getTime(), last_used_at: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}
