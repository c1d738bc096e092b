import { randomUUID } from 'node:crypto'
import { isOneOf, lockRows } from './engine.ts'
import type { Database } from './open-database.ts'

const batchNames = 500

/**
 * Returns the stable ids (UUIDs) of repositories by name. Creates ids for names that are new in the organisation. Needs few statements even
 * for many names.
 */
export async function ensureRepositories(
  db: Database,
  org: string,
  names: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (let start = 0; start < names.length; start += batchNames) {
    const batch = names.slice(start, start + batchNames)
    await addIds(db, org, batch, ids)
    const unknown = batch.filter((name) => !ids.has(name))
    if (unknown.length === 0) continue
    const created_at = now.toISOString()
    await db
      .insertInto('repositories')
      // In order, so that processes that insert the same names cannot deadlock.
      .values(unknown.toSorted().map((name) => ({ id: randomUUID(), org, name, created_at })))
      .onConflict((conflict) => conflict.columns(['org', 'name']).doNothing())
      .execute()
    await addIds(db, org, unknown, ids)
  }
  return ids
}

async function addIds(db: Database, org: string, names: readonly string[], ids: Map<string, string>): Promise<void> {
  const query = db.selectFrom('repositories').select(['id', 'name']).where('org', '=', org)
  for (const { id, name } of await query.where(isOneOf(db, 'name', names)).execute()) ids.set(name, id)
}

/** Makes other transactions that add receivers to the repository wait for the end of this one. */
export async function lockRepository(tx: Database, id: string): Promise<void> {
  await lockRows(tx, tx.selectFrom('repositories').select('id').where('id', '=', id)).execute()
}
