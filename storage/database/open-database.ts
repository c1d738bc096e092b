// Opens the database at a URL and applies its migrations.
import { Kysely } from 'kysely'
import type { Dialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { chooseColumnTypes, migrateAlone, openPostgres, openSqlite } from './engine.ts'
import { createMigrations } from './migrations/index.ts'
import type { Tables } from './tables.ts'

/** An open, migrated database. Close it with `destroy()`. */
export type Database = Kysely<Tables>

/** The database cannot be opened or migrated. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/**
 * Opens the database and applies missing migrations, so that every command also works with a new database.
 *
 * @param url `sqlite:FILE` (created with its directory when missing), `sqlite::memory:` or `postgres://...`
 * @throws {@link DatabaseError}
 */
export async function openDatabase(url: string): Promise<Database> {
  const name = hidePassword(url)
  return migrate(openDialect(url, name), name)
}

/** Migrates a database of any dialect. `name` stands for it in error messages. */
export async function migrate(dialect: Dialect, name: string): Promise<Database> {
  const db = new Kysely<Tables>({ dialect })
  const provider = { getMigrations: async () => createMigrations(chooseColumnTypes(db)) }
  try {
    await migrateAlone(db, async (db) => {
      const { error } = await new Migrator({ db, provider }).migrateToLatest()
      if (error !== undefined) throw error
    })
    return db
  } catch (cause) {
    await db.destroy()
    throw new DatabaseError(`${name} cannot be migrated: ${readMessage(cause)}`, { cause })
  }
}

/** Returns the file of a SQLite database, or `:memory:`; undefined for other databases. */
export function databaseFile(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1]
}

function openDialect(url: string, name: string): Dialect {
  try {
    const file = databaseFile(url)
    if (file !== undefined) return openSqlite(file)
    if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url)
  } catch (cause) {
    throw new DatabaseError(`${name} cannot be opened: ${readMessage(cause)}`, { cause })
  }
  throw new DatabaseError(`${name} is not a database address; sqlite:FILE or postgres://... is expected`)
}

/** Removes the user and the parameters of a URL, since both can hold a password. */
function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1').replace(/\?.*/s, '')
}

function readMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
