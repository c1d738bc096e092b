import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../engine.ts'

/**
 * Numbers the events of each organisation, so that streams can resume after any of them. Never edited after release: a change is a new
 * migration.
 */
export async function up(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('event_positions')
    .addColumn('org', 'text', (column) => column.primaryKey())
    .addColumn('last', integer, (column) => column.notNull())
    .addColumn('deleted_through', integer, (column) => column.notNull())
    .execute()
  await db.schema.alterTable('events').addColumn('org', 'text').execute()
  await db.schema.alterTable('events').addColumn('position', integer).execute()
  await sql`
    update events set org = numbered.org, position = numbered.position
    from (
      select events.id, repositories.org,
        row_number() over (
          partition by repositories.org order by events.created_at, events.repo_id, events.branch, events.sequence
        ) as position
      from events join repositories on repositories.id = events.repo_id
    ) as numbered
    where numbered.id = events.id`.execute(db)
  await sql`
    insert into event_positions (org, last, deleted_through)
    select org, max(position), 0 from events group by org`.execute(db)
  await db.schema.createIndex('events_position').on('events').columns(['org', 'position']).unique().execute()
}
