import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../engine.ts'

/** Creates the tables that replicas share. Never edited after release: a change is a new migration. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('replicas')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('alive_until', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('poll_shards')
    .addColumn('shard', 'integer', (column) => column.primaryKey())
    .addColumn('replica_id', 'text', (column) => column.notNull().references('replicas.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createTable('call_counts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('calls', types.integer, (column) => column.notNull())
    .addColumn('ends_at', types.integer, (column) => column.notNull())
    .addColumn('changed_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('call_counts_changed').on('call_counts').column('changed_at').execute()
}
