import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../engine.ts'

/** Creates the tables for notifications. Never edited after release: a change is a new migration. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createHeads(db, types)
  await createConfigurations(db, types)
  await createEvents(db, types)
  await createDeliveries(db, types)
  await createAttempts(db, types)
}

async function createHeads(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('heads')
    .addColumn('repo_id', 'text', (column) => column.notNull().references('repositories.id').onDelete('cascade'))
    .addColumn('branch', 'text', (column) => column.notNull())
    .addColumn('snapshot_id', 'text', (column) => column.notNull())
    .addColumn('sequence', integer, (column) => column.notNull())
    .addColumn('moved_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('heads_key', ['repo_id', 'branch'])
    .execute()
}

async function createConfigurations(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('configurations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('repo_id', 'text', (column) => column.notNull().references('repositories.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('alias', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('service', 'text')
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('secret_token', 'text')
    .addColumn('signing_secrets', 'text', (column) => column.notNull())
    .addColumn('is_declared', 'integer', (column) => column.notNull())
    .addColumn('is_enabled', 'integer', (column) => column.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('last_success_at', integer)
    .addColumn('failing_since', integer)
    .addColumn('due_at', integer)
    .addColumn('lease_token', 'text')
    .addUniqueConstraint('configurations_alias', ['repo_id', 'alias'])
    .execute()
  await db.schema.createIndex('configurations_due').on('configurations').column('due_at').execute()
}

async function createEvents(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('repo_id', 'text', (column) => column.notNull().references('repositories.id').onDelete('cascade'))
    .addColumn('branch', 'text', (column) => column.notNull())
    .addColumn('sequence', integer, (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('line', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addUniqueConstraint('events_sequence', ['repo_id', 'branch', 'sequence'])
    .execute()
  await db.schema.createIndex('events_age').on('events').column('created_at').execute()
}

async function createDeliveries(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event_id', 'text', (column) => column.notNull().references('events.id').onDelete('cascade'))
    .addColumn('configuration_id', 'text', (column) =>
      column.notNull().references('configurations.id').onDelete('cascade'),
    )
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('turn', integer)
    .addColumn('due_at', integer)
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addUniqueConstraint('deliveries_event', ['event_id', 'configuration_id'])
    .execute()
  await db.schema
    .createIndex('deliveries_line')
    .on('deliveries')
    .columns(['configuration_id', 'turn'])
    .where('turn' as never, 'is not', null)
    .execute()
}

async function createAttempts(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('attempts')
    .addColumn('delivery_id', 'text', (column) => column.notNull().references('deliveries.id').onDelete('cascade'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('started_at', integer, (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .addColumn('response_excerpt', 'text')
    .addPrimaryKeyConstraint('attempts_key', ['delivery_id', 'number'])
    .execute()
  await db.schema.createIndex('attempts_age').on('attempts').column('started_at').execute()
}
