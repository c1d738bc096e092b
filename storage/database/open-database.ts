// Opens and migrates the database that a URL names.
import { Kysely } from 'kysely'
import type { Dialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { columnTypes, migrateAlone, postgresDialect, sqliteDialect } from './engine.ts'
import { migrationsFor } from './migrations/index.ts'
import type { Tables } from './tables.ts'

/** An open, migrated database. Close it with `destroy()`. */
export type Database = Kysely<Tables>

/** The database cannot be opened or brought up to date. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/**
 * Opens the database and applies missing migrations, so that any command may be the first one ever run.
 *
 * @param url `sqlite:FILE` (created with its directory when missing), `sqlite::memory:` or `postgres://...`
 * @throws {@link DatabaseError}
 */
export async function openDatabase(url: string): Promise<Database> {
  const name = withoutPassword(url)
  return migrate(dialectOf(url, name), name)
}

/** A database of any dialect, migrated; `name` is what failures call it. */
export async function migrate(dialect: Dialect, name: string): Promise<Database> {
  const db = new Kysely<Tables>({ dialect })
  const provider = { getMigrations: async () => migrationsFor(columnTypes(db)) }
  try {
    await migrateAlone(db, async (db) => {
      const { error } = await new Migrator({ db, provider }).migrateToLatest()
      if (error !== undefined) throw error
    })
    return db
  } catch (cause) {
    await db.destroy()
    throw new DatabaseError(`${name} cannot be brought up to date: ${messageOf(cause)}`, { cause })
  }
}

/** The file of a SQLite database, or `:memory:`; undefined for others. */
export function databaseFile(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1]
}

function dialectOf(url: string, name: string): Dialect {
  try {
    const file = databaseFile(url)
    if (file !== undefined) return sqliteDialect(file)
    if (/^postgres(ql)?:\/\//.test(url)) return postgresDialect(url)
  } catch (cause) {
    throw new DatabaseError(`${name} cannot be opened: ${messageOf(cause)}`, { cause })
  }
  throw new DatabaseError(`${name} is not a database address; sqlite:FILE or postgres://... is expected`)
}

/** Passwords stand before the host, or among the parameters. */
function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1').replace(/\?.*/s, '')
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
