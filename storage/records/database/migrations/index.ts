// All migrations by name. They run in the order of their names. A released migration is never edited: a change is a new
// one.
import { type Kysely, sql } from 'kysely'
import { hasTable } from '../engine/engine.ts'
import type { Tables } from '../tables.ts'
import { createTables } from './0001-tables.ts'

type Migration = (tx: Kysely<Tables>) => Promise<void>

const migrations: Readonly<Record<string, Migration>> = { '0001-tables': createTables }

/** The migrations of a database by name, as this program sees them. */
export type SchemaVersion = {
  readonly applied: readonly string[]
  /** Migrations that the next opening applies. */
  readonly pending: readonly string[]
  /** Migrations that a newer program has applied. */
  readonly unknown: readonly string[]
}

/**
 * The table of the applied migrations. Other programs can share a PostgreSQL database, so its name is not that of
 * Kysely's migrator.
 */
export const migrationTable = 'floe_migrations'

/** Reads how far a database has been migrated. */
export async function readSchemaVersion(db: Kysely<Tables>): Promise<SchemaVersion> {
  const query = sql<{ name: string }>`select name from ${sql.table(migrationTable)}`
  const rows = (await hasTable(db, migrationTable)) ? (await query.execute(db)).rows : []
  return compareMigrations(rows.map(({ name }) => name))
}

/** @param recorded the names of the migrations that a database has recorded */
export function compareMigrations(recorded: readonly string[]): SchemaVersion {
  const names = Object.keys(migrations)
  return {
    applied: names.filter((name) => recorded.includes(name)),
    pending: names.filter((name) => !recorded.includes(name)),
    unknown: recorded.filter((name) => !names.includes(name)).sort(),
  }
}

/**
 * Applies migrations in one transaction, which no other process must do at the same time.
 *
 * @param names in their order, none of them applied
 */
export async function applyMigrations(tx: Kysely<Tables>, names: readonly string[]): Promise<void> {
  // Not `if not exists`, for which PostgreSQL asks for the right to create tables even if the table exists.
  if (!(await hasTable(tx, migrationTable))) {
    await sql`create table ${sql.table(migrationTable)} (name text primary key, applied_at text not null)`.execute(tx)
  }
  for (const name of names) {
    await migrations[name]?.(tx)
    const appliedAt = new Date().toISOString()
    await sql`insert into ${sql.table(migrationTable)} (name, applied_at) values (${name}, ${appliedAt})`.execute(tx)
  }
}
