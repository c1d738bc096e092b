import { existsSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { migrateAlone } from './engine/engine.ts'
import { LanedDatabase, type Lanes } from './lanes.ts'
import { applyMigrations, listBreaking, readSchemaVersion } from './migrations/index.ts'
import type { PostgresLimits } from './postgres/open-postgres.ts'
import { isReplicaRunning } from './replicas/running-replicas.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import type { Tables } from './tables.ts'

/** A database or a transaction. Close a database with `destroy()`. */
export type Database = Kysely<Tables>

export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/** Another process keeps the file of the database locked. */
export class DatabaseLockedError extends DatabaseError {
  override name = 'DatabaseLockedError'
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
 * @throws {@link DatabaseError}, {@link DatabaseLockedError}
 */
export async function openDatabase(url: string, limits: DatabaseLimits = defaultLimits): Promise<LanedDatabase> {
  const db = new LanedDatabase(await openLanes(url, { ...limits, ...withoutTimeLimits }), url)
  await migrate(db, nameDatabase(url))
  if (databaseFile(url) !== undefined) return db
  await db.destroy()
  return new LanedDatabase(await openLanes(url, limits), url)
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
  const db = new LanedDatabase(await openLanes(url, defaultLimits), url)
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
  if (!isDatabaseUrl(url)) {
    throw new DatabaseError(`${nameDatabase(url)} is not a database address; sqlite:FILE or postgres://... is expected`)
  }
  // Loaded on demand, because most services use SQLite.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(url, { connectMs: busyMs, ...statementLimits })
}

/** Migrates a database of any dialect, or closes it if that fails. Error messages call it `name`. */
export async function migrate(db: LanedDatabase, name: string): Promise<void> {
  try {
    await connect(db, name)
    await explain(`${name} cannot be migrated`, async () => {
      await requireNoOlderReplica(db, name)
      await migrateAlone(db, async (tx) => {
        const { pending, unknown } = await readSchemaVersion(tx)
        if (unknown.length > 0) throw new DatabaseError(explainNewer(name, unknown))
        if (pending.length > 0) await applyMigrations(tx, pending)
      })
    })
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Replicas that run while migrations are pending are of an older version. */
async function requireNoOlderReplica(db: LanedDatabase, name: string): Promise<void> {
  const { applied, pending } = await readSchemaVersion(db)
  const breaking = listBreaking(pending)
  if (applied.length === 0 || breaking.length === 0 || !(await isReplicaRunning(db))) return
  throw new DatabaseError(
    `${name} is used by processes of an older version of Floe, which cannot run with ${breaking.join(', ')}. ` +
      'Stop all of them, then start this version',
  )
}

/** @param unknown migrations that a later version has applied */
export function explainNewer(name: string, unknown: readonly string[]): string {
  return (
    `${name} is newer than this program: a later version of Floe has applied ${unknown.join(', ')}. ` +
    'Start that version, or restore a backup from before its first start'
  )
}

/**
 * Executes the same statement on both lanes. A pooler that keeps the prepared statements of different connections apart
 * executes both; another one fails here.
 */
function connect(db: LanedDatabase, name: string): Promise<void> {
  return explain(`${name} cannot be opened`, async () => {
    for (const lane of [db, db.urgent]) await sql`select 1`.execute(lane)
  })
}

async function explain(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause
    const isLocked = cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY'
    throw new (isLocked ? DatabaseLockedError : DatabaseError)(`${what}: ${explainReason(cause)}`, { cause })
  }
}

/** Behind PgBouncer before version 1.21, or without `max_prepared_statements`. */
const poolerAdvice =
  '; a pooler mixes up the prepared statements of its connections: use PgBouncer 1.21 or newer ' +
  'with max_prepared_statements above 100, or connect to PostgreSQL itself'

/** PgBouncer says this in an error with a code that it also uses for others. */
const startupParameter = /^unsupported startup parameter/

const startupAdvice =
  '; PgBouncer needs ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout. ' +
  'Instead of a parameter of your own, use ALTER ROLE ... SET'

/** What the messages of the database do not say, by their code. */
const hints: Readonly<Record<string, string>> = {
  '26000': poolerAdvice,
  '42P05': poolerAdvice,
  SQLITE_BUSY: ', because another process is changing it; try again when that is done, or end that process if it hangs',
  SQLITE_CANTOPEN: '; this process must be able to write to it and to its directory',
}

function explainReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const hint = startupParameter.test(cause.message) ? startupAdvice : 'code' in cause && hints[String(cause.code)]
  return cause.message + (hint || '')
}

/** Whether {@link openDatabase} takes a URL. */
export function isDatabaseUrl(url: string): boolean {
  return databaseFile(url) !== undefined || /^postgres(ql)?:\/\//.test(url)
}

/** Returns the file of a SQLite database, or `:memory:`; undefined for other databases. */
export function databaseFile(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1]
}

/** Returns the URL of a database without its user and parameters, which can hold passwords. */
export function nameDatabase(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1').replace(/\?.*/s, '')
}
