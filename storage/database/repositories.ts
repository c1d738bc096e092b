import { randomUUID } from 'node:crypto'
import { lockRows } from './engine.ts'
import type { Database } from './open-database.ts'

/**
 * Returns the stable id of a repository. Creates it when the name is first seen in the organisation; it never changes.
 *
 * @returns a UUID
 */
export async function rememberRepository(db: Database, org: string, name: string, now: Date): Promise<string> {
  await db
    .insertInto('repositories')
    .values({ id: randomUUID(), org, name, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.columns(['org', 'name']).doNothing())
    .execute()
  const { id } = await db
    .selectFrom('repositories')
    .select('id')
    .where('org', '=', org)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return id
}

/** Makes other transactions that add receivers to the repository wait until this one ends. */
export async function lockRepository(tx: Database, id: string): Promise<void> {
  await lockRows(tx, tx.selectFrom('repositories').select('id').where('id', '=', id)).execute()
}
