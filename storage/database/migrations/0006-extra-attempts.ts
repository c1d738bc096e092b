import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../engine.ts'

/** Counts the attempts that people ask for apart from those of the schedule. Never edited after release: a change is a new migration. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('deliveries')
    .addColumn('extra_attempts', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
