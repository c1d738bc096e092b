import { randomUUID } from 'node:crypto'
import { isOneOf, lockRows } from './engine.ts'
import type { Database } from './open-database.ts'

/** Names in one statement. */
const batchNames = 500

/**
 * Returns the stable id of a repository. Creates it when the name is first seen in the organisation; it never changes.
 *
 * @returns a UUID
 */
export async function rememberRepository(db: Database, org: string, name: string, now: Date): Promise<string> {
  const id = (await rememberRepositories(db, org, [name], now)).get(name)
  if (id === undefined) throw new TypeError(`the database forgot the repository ${org}/${name} at once`)
  return id
}

/** Like {@link rememberRepository}, for many repositories in few statements. Returns the ids by name. */
export async function rememberRepositories(
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
      .values(unknown.map((name) => ({ id: randomUUID(), org, name, created_at })))
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

/** Makes other transactions that add receivers to the repository wait until this one ends. */
export async function lockRepository(tx: Database, id: string): Promise<void> {
  await lockRows(tx, tx.selectFrom('repositories').select('id').where('id', '=', id)).execute()
}
