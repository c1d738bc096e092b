// Opens the database at a URL and applies its migrations.
import { Kysely } from 'kysely'
import type { Dialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { chooseColumnTypes, migrateAlone } from './engine.ts'
import { createMigrations } from './migrations/index.ts'
import type { PostgresLimits } from './postgres/open-postgres.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Tables } from './tables.ts'

/** An open, migrated database. Close it with `destroy()`. */
export type Database = Kysely<Tables>

/** The database cannot be opened or migrated. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/** How long the database may take, in milliseconds. Beyond that, it counts as unavailable. */
export type DatabaseLimits = Omit<PostgresLimits, 'connectMs'> & {
  /** To give a connection, and on SQLite also for a lock of another process. */
  readonly busyMs: number
}

const defaultLimits: DatabaseLimits = { busyMs: 5_000, statementMs: 10_000, answerMs: 12_000 }

/**
 * Opens the database and applies missing migrations, so that every command also works with a new database. Migrations have no time limit.
 *
 * @param url `sqlite:FILE` (created with its directory when missing), `sqlite::memory:` or `postgres://...`
 * @throws {@link DatabaseError}
 */
export async function openDatabase(url: string, limits: DatabaseLimits = defaultLimits): Promise<Database> {
  const name = hidePassword(url)
  const { busyMs, ...statementLimits } = limits
  const file = databaseFile(url)
  if (file !== undefined) return migrate(openSqlite(file, busyMs), name)
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new DatabaseError(`${name} is not a database address; sqlite:FILE or postgres://... is expected`)
  }
  // Loaded only here, because most services use SQLite.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  const migrating = openPostgres(url, { connectMs: busyMs, statementMs: null, answerMs: null })
  await (await migrate(migrating, name)).destroy()
  return new Kysely<Tables>({ dialect: openPostgres(url, { connectMs: busyMs, ...statementLimits }) })
}

/** Migrates a database of any dialect. `name` stands for it in error messages. */
export async function migrate(dialect: Dialect, name: string): Promise<Database> {
  const db = new Kysely<Tables>({ dialect })
  const provider = { getMigrations: async () => createMigrations(chooseColumnTypes(db)) }
  try {
    await explain(`${name} cannot be opened`, () => db.connection().execute(async () => undefined))
    await explain(`${name} cannot be migrated`, () =>
      migrateAlone(db, async (db) => {
        const { error } = await new Migrator({ db, provider }).migrateToLatest()
        if (error !== undefined) throw error
      }),
    )
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function explain(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`${what}: ${reason}`, { cause })
  }
}

/** Returns the file of a SQLite database, or `:memory:`; undefined for other databases. */
export function databaseFile(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1]
}

/** Removes the user and the parameters of a URL, since both can hold a password. */
function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1').replace(/\?.*/s, '')
}
