// Opens and migrates the database that a URL names.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import type { Tables } from './tables.ts'

/** An open, migrated database. Close it with `destroy()`. */
export type Database = Kysely<Tables>

/** The database cannot be opened or brought up to date. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/** How long a statement waits for another process' write, in milliseconds. */
const busyTimeoutMs = 5_000

/**
 * Opens the database and applies missing migrations, so that any command may be the first one ever run.
 *
 * @param url `sqlite:FILE` (created with its directory when missing) or `sqlite::memory:`
 * @throws {@link DatabaseError}
 */
export async function openDatabase(url: string): Promise<Database> {
  const sqlite = openSqlite(url)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  try {
    await migrate(db, sqlite)
    return db
  } catch (cause) {
    await db.destroy()
    throw new DatabaseError(`${url} cannot be brought up to date: ${messageOf(cause)}`, { cause })
  }
}

/** One transaction around all of it, since several processes may open a new database at once; the others wait. */
async function migrate(db: Database, sqlite: SQLite.Database): Promise<void> {
  sqlite.exec('begin immediate')
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error !== undefined) throw error
  sqlite.exec('commit')
}

function openSqlite(url: string): SQLite.Database {
  const file = /^sqlite:(.+)$/.exec(url)?.[1]
  if (file === undefined) throw new DatabaseError(`${url} is not a database address; sqlite:FILE is expected`)
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
    const sqlite = new SQLite(file, { timeout: busyTimeoutMs })
    // Write-ahead logging lets readers go on while another process writes.
    sqlite.pragma('journal_mode = WAL')
    return sqlite
  } catch (cause) {
    throw new DatabaseError(`${url} cannot be opened: ${messageOf(cause)}`, { cause })
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
