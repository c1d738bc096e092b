import type { Kysely } from 'kysely'

/** Drops the counts of calls, which each process keeps for itself. Never edited after release: a change is a new migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('call_counts').execute()
}
