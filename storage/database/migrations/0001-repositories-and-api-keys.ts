import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../engine.ts'

/** Creates the first tables. Never edited after release: a change is a new migration. */
export async function up(db: Kysely<unknown>, { blob }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('repositories')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('org', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('repositories_org_name', ['org', 'name'])
    .execute()
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('org', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('repos', 'text')
    .addColumn('secret_hash', blob, (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('revoked_at', 'text')
    .execute()
}
