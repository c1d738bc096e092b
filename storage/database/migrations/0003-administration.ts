import { sql, type Kysely } from 'kysely'
import type { ColumnTypes } from '../engine.ts'

/** Creates and extends the tables for administration. Never edited after release: a change is a new migration. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await extendHeads(db)
  await extendApiKeys(db, types)
  await extendConfigurations(db)
  await extendDeliveries(db, types)
  await createAudit(db, types)
}

async function extendHeads(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('heads').addColumn('format_version', 'integer').execute()
}

async function extendApiKeys(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  // One statement for each column, because SQLite adds only one column at a time.
  await db.schema.alterTable('api_keys').addColumn('expires_at', integer).execute()
  await db.schema.alterTable('api_keys').addColumn('last_used_at', integer).execute()
  await db.schema.alterTable('api_keys').addColumn('created_by', 'text').execute()
  await db.schema
    .alterTable('api_keys')
    .addColumn('is_declared', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Secrets that are not sealed yet are marked `plain:`; they are sealed at the next start. */
async function extendConfigurations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('configurations')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await sql`update configurations set secret_token = 'plain:' || secret_token where secret_token is not null`.execute(
    db,
  )
  await sql`update configurations set url = 'plain:' || url where kind = 'chat'`.execute(db)
  // The old column holds a list with at most one secret: ["whsec_..."].
  await sql`
    update configurations set signing_secrets =
      replace(replace(signing_secrets, '["', '[{"sealed":"plain:'), '"]', '","until":null}]')
  `.execute(db)
}

async function extendDeliveries(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  // SQLite can add a column that is not null only with a default.
  await db.schema
    .alterTable('deliveries')
    .addColumn('repo_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('deliveries')
    .addColumn('created_at', integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`
    update deliveries set
      repo_id = (select repo_id from events where events.id = deliveries.event_id),
      created_at = (select created_at from events where events.id = deliveries.event_id)
  `.execute(db)
  const lists = {
    deliveries_of_repository: ['repo_id', 'created_at', 'id'],
    deliveries_of_state: ['repo_id', 'state', 'created_at', 'id'],
    deliveries_of_configuration: ['configuration_id', 'created_at', 'id'],
  }
  for (const [name, columns] of Object.entries(lists)) {
    await db.schema.createIndex(name).on('deliveries').columns(columns).execute()
  }
}

async function createAudit(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('org', 'text', (column) => column.notNull())
    .addColumn('repo_id', 'text')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('audit_of_repository').on('audit').columns(['repo_id', 'at', 'id']).execute()
  await db.schema.createIndex('audit_age').on('audit').column('at').execute()
}
