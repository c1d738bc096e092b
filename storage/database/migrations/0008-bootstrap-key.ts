import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../engine.ts'

/** Marks the bootstrap key, whose removal keeps the keys that were made with it. Never edited after release: a change is a new migration. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('is_bootstrap', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
