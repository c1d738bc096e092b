// All migrations by name. They run in the order of their names. A released migration is never edited: a change is a new
// one.
import { type Kysely, sql } from 'kysely'
import { hasTable } from '../engine/engine.ts'
import type { Tables } from '../tables.ts'
import { createTables } from './0001-tables.ts'

type Migration = {
  readonly apply: (tx: Kysely<Tables>) => Promise<void>
  /**
   * Whether it only adds tables, indexes, and columns that may be left out, so that processes of the version before can
   * run beside it. docs/operating/upgrade.md names each migration that does more.
   */
  readonly onlyAdds: boolean
}

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-tables': { apply: createTables, onlyAdds: true },
}

/** The migrations of a database by name, as this program sees them. */
export type SchemaVersion = {
  readonly applied: readonly string[]
  /** Migrations that the next opening applies. */
  readonly pending: readonly string[]
  /** Migrations that a newer program has applied, and that only add, so that this program can run beside it. */
  readonly added: readonly string[]
  /** Other migrations that a newer program has applied. */
  readonly unknown: readonly string[]
}

/**
 * The table of the applied migrations. Other programs can share a PostgreSQL database, so its name is not that of
 * Kysely's migrator.
 */
export const migrationTable = 'floe_migrations'

/** A migration as the database has recorded it. */
type RecordedMigration = { readonly name: string; readonly only_adds: number }

/** Reads how far a database has been migrated. */
export async function readSchemaVersion(db: Kysely<Tables>): Promise<SchemaVersion> {
  const query = sql<RecordedMigration>`select name, only_adds from ${sql.table(migrationTable)}`
  return compareMigrations((await hasTable(db, migrationTable)) ? (await query.execute(db)).rows : [])
}

/** @param recorded the migrations that a database has recorded */
export function compareMigrations(recorded: readonly RecordedMigration[]): SchemaVersion {
  const names = Object.keys(migrations)
  const isRecorded = (name: string) => recorded.some((migration) => migration.name === name)
  const newer = recorded.filter(({ name }) => !names.includes(name))
  const listNewer = (onlyAdds: boolean) =>
    newer.flatMap(({ name, only_adds }) => ((only_adds === 1) === onlyAdds ? [name] : [])).sort()
  return {
    applied: names.filter(isRecorded),
    pending: names.filter((name) => !isRecorded(name)),
    added: listNewer(true),
    unknown: listNewer(false),
  }
}

/** Lists which of these migrations need all processes of an older version to be stopped. */
export function listBreaking(names: readonly string[]): readonly string[] {
  return names.filter((name) => migrations[name]?.onlyAdds === false)
}

/**
 * Applies migrations in one transaction, which no other process must do at the same time.
 *
 * @param names in their order, none of them applied
 */
export async function applyMigrations(tx: Kysely<Tables>, names: readonly string[]): Promise<void> {
  // Not `if not exists`, for which PostgreSQL asks for the right to create tables even if the table exists.
  if (!(await hasTable(tx, migrationTable))) {
    await sql`create table ${sql.table(migrationTable)} (
      name text primary key,
      applied_at text not null,
      only_adds integer not null default 0
    )`.execute(tx)
  }
  for (const name of names) {
    const migration = migrations[name]
    if (migration === undefined) throw new TypeError(`there is no migration ${name}`)
    await migration.apply(tx)
    const onlyAdds = Number(migration.onlyAdds)
    await sql`insert into ${sql.table(migrationTable)} (name, applied_at, only_adds)
      values (${name}, ${new Date().toISOString()}, ${onlyAdds})`.execute(tx)
  }
}
