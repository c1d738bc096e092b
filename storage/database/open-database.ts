import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { chooseColumnTypes, migrateAlone } from './engine.ts'
import { LanedDatabase, type Lanes } from './lanes.ts'
import { createMigrations, readSchemaVersion } from './migrations/index.ts'
import type { PostgresLimits } from './postgres/open-postgres.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Tables } from './tables.ts'

/** A database or a transaction. Close a database with `destroy()`. */
export type Database = Kysely<Tables>

export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/** Time limits of the database, in milliseconds. After that, it counts as unavailable. */
export type DatabaseLimits = Omit<PostgresLimits, 'connectMs'> & {
  /** Wait for a connection; on SQLite also for a lock of another process. */
  readonly busyMs: number
}

const defaultLimits: DatabaseLimits = { busyMs: 5_000, statementMs: 10_000, answerMs: 12_000 }

/** For migrations, which may take any time. */
const withoutTimeLimits = { statementMs: null, answerMs: null }

/**
 * Opens the database and applies missing migrations, which have no time limit.
 *
 * @param url `sqlite:FILE` (created with its directory when missing), `sqlite::memory:` or `postgres://...`
 * @throws {@link DatabaseError}
 */
export async function openDatabase(url: string, limits: DatabaseLimits = defaultLimits): Promise<LanedDatabase> {
  const db = new LanedDatabase(await openLanes(url, { ...limits, ...withoutTimeLimits }))
  await migrate(db, nameDatabase(url))
  if (databaseFile(url) !== undefined) return db
  await db.destroy()
  return new LanedDatabase(await openLanes(url, limits))
}

/**
 * Opens a database without migrating it. Its tables can be older or newer than this program expects.
 *
 * @returns undefined for a SQLite file that does not exist: opening would create it
 * @throws {@link DatabaseError}
 */
export async function openUnmigrated(url: string): Promise<Database | undefined> {
  const file = databaseFile(url)
  if (file !== undefined && !existsSync(file)) return undefined
  const db = new LanedDatabase(await openLanes(url, defaultLimits))
  try {
    await connect(db, nameDatabase(url))
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function openLanes(url: string, { busyMs, ...statementLimits }: DatabaseLimits): Promise<Lanes> {
  const file = databaseFile(url)
  if (file !== undefined) return openSqlite(file, busyMs)
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new DatabaseError(`${nameDatabase(url)} is not a database address; sqlite:FILE or postgres://... is expected`)
  }
  // Loaded on demand, because most services use SQLite.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(url, { connectMs: busyMs, ...statementLimits })
}

/** Migrates a database of any dialect, or closes it if that fails. Error messages call it `name`. */
export async function migrate(db: Database, name: string): Promise<void> {
  const provider = { getMigrations: async () => createMigrations(chooseColumnTypes(db)) }
  try {
    await connect(db, name)
    await explain(`${name} cannot be migrated`, () =>
      migrateAlone(db, async (db) => {
        const { error } = await new Migrator({ db, provider }).migrateToLatest()
        if (error !== undefined) throw (await explainNewer(db, name)) ?? error
      }),
    )
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function explainNewer(db: Database, name: string): Promise<DatabaseError | undefined> {
  const { unknown } = await readSchemaVersion(db)
  if (unknown.length === 0) return undefined
  return new DatabaseError(
    `${name} is newer than this program: a later version of Floe has applied ${unknown.join(', ')}. Start that version, or ` +
      'restore a backup from before its first start',
  )
}

function connect(db: Database, name: string): Promise<void> {
  return explain(`${name} cannot be opened`, () => db.connection().execute(async () => undefined))
}

async function explain(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause
    throw new DatabaseError(`${what}: ${explainReason(cause)}`, { cause })
  }
}

/** What the messages of SQLite do not say, by their code. */
const hints: Readonly<Record<string, string>> = {
  SQLITE_BUSY: ', because another process is changing it; try again when that is done',
  SQLITE_CANTOPEN: '; this process must be able to write to it and to its directory',
}

function explainReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message + ('code' in cause ? (hints[String(cause.code)] ?? '') : '')
}

/** Returns the file of a SQLite database, or `:memory:`; undefined for other databases. */
export function databaseFile(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1]
}

/** Returns the URL of a database without its user and parameters, which can hold passwords. */
export function nameDatabase(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1').replace(/\?.*/s, '')
}
