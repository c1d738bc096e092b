// All migrations by name. They run in the order of their names. A released migration is never edited: a change is a new migration.
import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration } from 'kysely/migration'
import type { ColumnTypes } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { createNotifications } from './0002-notifications.ts'
import { addAdministration } from './0003-administration.ts'
import { sealUrls } from './0007-sealed-urls.ts'
import { separateUndelivered } from './0018-undelivered.ts'
import { addSubscriptions } from './0019-subscriptions.ts'
import { createSearch } from './0023-search.ts'

/** The statements of a migration, with `:integer` and `:blob` as column types; or a function, if SQL alone is not enough. */
type Steps = readonly string[] | ((db: Kysely<unknown>) => Promise<void>)

const migrations: Readonly<Record<string, Steps>> = {
  '0001-repositories-and-api-keys': [
    `create table repositories (
      id text primary key,
      org text not null,
      name text not null,
      created_at text not null,
      constraint repositories_org_name unique (org, name)
    )`,
    `create table api_keys (
      id text primary key,
      org text not null,
      role text not null,
      repos text,
      secret_hash :blob not null,
      created_at text not null,
      revoked_at text
    )`,
  ],
  '0002-notifications': createNotifications,
  '0003-administration': addAdministration,
  '0004-audit-of-organisation': ['create index audit_of_organisation on audit (org, at, id)'],
  '0005-receivers': [
    'alter table configurations rename to receivers',
    'alter table deliveries rename column configuration_id to receiver_id',
    'drop index configurations_due',
    'drop index deliveries_line',
    'drop index deliveries_of_configuration',
    'create index receivers_due on receivers (due_at)',
    'create index deliveries_queue on deliveries (receiver_id, turn) where turn is not null',
    'create index deliveries_of_receiver on deliveries (receiver_id, created_at, id)',
  ],
  '0006-extra-attempts': [`alter table deliveries add column extra_attempts :integer not null default 0`],
  '0007-sealed-urls': sealUrls,
  '0008-bootstrap-key': [`alter table api_keys add column is_bootstrap :integer not null default 0`],
  '0009-commits-of-heads': [
    'alter table heads add column message text',
    'alter table heads add column author text',
    `alter table heads add column written_at :integer`,
  ],
  '0010-replicas': [
    `create table replicas (id text primary key, alive_until :integer not null)`,
    `create table poll_shards (
      shard integer primary key,
      replica_id text not null references replicas (id) on delete cascade
    )`,
    `create table call_counts (
      name text primary key,
      calls :integer not null,
      ends_at :integer not null,
      changed_at :integer not null
    )`,
    'create index call_counts_changed on call_counts (changed_at)',
  ],
  '0011-positions-of-events': [
    `create table event_positions (
      org text primary key,
      last :integer not null,
      deleted_through :integer not null
    )`,
    'alter table events add column org text',
    `alter table events add column position :integer`,
    `update events set org = numbered.org, position = numbered.position
    from (
      select events.id, repositories.org,
        row_number() over (
          partition by repositories.org order by events.created_at, events.repo_id, events.branch, events.sequence
        ) as position
      from events join repositories on repositories.id = events.repo_id
    ) as numbered
    where numbered.id = events.id`,
    'insert into event_positions (org, last, deleted_through) select org, max(position), 0 from events group by org',
    'create unique index events_position on events (org, position)',
  ],
  '0012-indexes-of-api-keys': [
    'create index api_keys_of_organisation on api_keys (org, created_at, id)',
    'create index api_keys_of_maker on api_keys (created_by)',
  ],
  '0013-counts-per-process': ['drop table call_counts'],
  // Organisations that have events may have streams already.
  '0014-organisations-with-streams': ['alter table event_positions add column has_streams integer not null default 1'],
  // Without ids, which made up half of each index, and without the states of what was delivered, which is nearly everything.
  '0015-indexes-of-deliveries': [
    'drop index deliveries_of_repository',
    'drop index deliveries_of_receiver',
    'drop index deliveries_of_state',
    'create index deliveries_of_repository on deliveries (repo_id, created_at)',
    'create index deliveries_of_receiver on deliveries (receiver_id, created_at)',
    `create index deliveries_of_state on deliveries (repo_id, state, created_at) where state <> 'delivered'`,
  ],
  '0016-search': [
    `alter table heads add column indexed_snapshot_id text not null default ''`,
    `alter table heads add column index_due_at :integer not null default 0`,
    'alter table heads add column index_failures integer not null default 0',
    'alter table heads add column index_problem text',
    'alter table heads add column index_omitted integer not null default 0',
    'alter table heads add column index_is_gone integer not null default 0',
    'create index heads_to_index on heads (index_due_at) where indexed_snapshot_id <> snapshot_id',
  ],
  // Created tables that 0023 creates now.
  '0017-search-postings': [],
  '0018-undelivered': separateUndelivered,
  '0019-subscriptions': addSubscriptions,
  '0021-notices': [
    'alter table receivers add column is_failure_noticed integer not null default 0',
    'alter table repositories add column unreadable_since :integer',
  ],
  // Keys are deleted earlier than the audit, so that each entry has the name of its key.
  '0022-names-of-api-keys': ['alter table api_keys add column name text', 'alter table audit add column key_name text'],
  '0023-search': createSearch,
  '0024-source-names': [
    'create table sources (id text primary key, changes :integer not null)',
    `create table source_names (
      source_id text not null,
      name text not null,
      changed :integer not null,
      is_gone integer not null,
      primary key (source_id, name)
    )`,
    'create index source_names_changed on source_names (source_id, changed)',
  ],
}

export function createMigrations(types: ColumnTypes): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, steps]) => [
      name,
      { up: typeof steps === 'function' ? steps : (db: Kysely<unknown>) => execute(db, steps, types) },
    ]),
  )
}

async function execute(db: Kysely<unknown>, statements: readonly string[], types: ColumnTypes): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement.replaceAll(':integer', types.integer).replaceAll(':blob', types.blob)).execute(db)
  }
}

/** The migrations of a database by name, as this program sees them. */
export type SchemaVersion = {
  readonly applied: readonly string[]
  /** Migrations that the next opening applies. */
  readonly pending: readonly string[]
  /** Migrations that a newer program has applied. */
  readonly unknown: readonly string[]
}

/** Reads how far a database has been migrated. */
export async function readSchemaVersion(db: Kysely<Tables>): Promise<SchemaVersion> {
  const known = Object.keys(migrations)
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const isMigrated = tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)
  const query = sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
  const recorded = new Set(isMigrated ? (await query.execute(db)).rows.map(({ name }) => name) : [])
  return {
    applied: known.filter((name) => recorded.has(name)),
    pending: known.filter((name) => !recorded.has(name)),
    unknown: [...recorded].filter((name) => !known.includes(name)).sort(),
  }
}
