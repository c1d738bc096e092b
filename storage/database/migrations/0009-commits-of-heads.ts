import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../engine.ts'

/**
 * Keeps the commits of heads, so that a list of repositories reads no repository. Never edited after release: a change is a new migration.
 */
export async function up(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  // Null until the next check of the repository.
  await db.schema.alterTable('heads').addColumn('message', 'text').execute()
  await db.schema.alterTable('heads').addColumn('author', 'text').execute()
  await db.schema.alterTable('heads').addColumn('written_at', integer).execute()
}
