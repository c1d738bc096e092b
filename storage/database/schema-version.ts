import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import { chooseColumnTypes } from './engine.ts'
import { createMigrations } from './migrations/index.ts'
import type { Tables } from './tables.ts'

/** The migrations of a database by name, as this program sees them. */
export type SchemaVersion = {
  readonly applied: readonly string[]
  /** Those that the next opening applies. */
  readonly pending: readonly string[]
  /** Those that were applied by a newer program. */
  readonly unknown: readonly string[]
}

/** Reads how far a database has been migrated. */
export async function readSchemaVersion(db: Kysely<Tables>): Promise<SchemaVersion> {
  const known = Object.keys(createMigrations(chooseColumnTypes(db)))
  const recorded = new Set(await listRecorded(db))
  return {
    applied: known.filter((name) => recorded.has(name)),
    pending: known.filter((name) => !recorded.has(name)),
    unknown: [...recorded].filter((name) => !known.includes(name)).sort(),
  }
}

async function listRecorded(db: Kysely<Tables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}
