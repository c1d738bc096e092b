// Everything in which SQLite and PostgreSQL differ. All other files in this folder use statements that both understand, and do not depend
// on the engine.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { CompiledQuery, PostgresDialect, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely'
import type { DatabaseConnection, Dialect, Kysely, SelectQueryBuilder, SqliteDialectConfig } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** How long a statement waits for a lock of another process, or for a connection, in milliseconds. */
const busyTimeoutMs = 5_000

/**
 * How long PostgreSQL keeps an idle transaction open, in milliseconds. A process that froze or lost its connection holds its locks this
 * long. Our transactions wait for nothing but the database, so none of them is idle for long.
 */
const idleTransactionMs = 30_000

/** Opens a file, which is created with its directory when it is missing, or `:memory:`. */
export function openSqlite(file: string): Dialect {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const database = new SQLite(file, { timeout: busyTimeoutMs })
  // Write-ahead logging lets readers continue while another process writes.
  database.pragma('journal_mode = WAL')
  // Overwrites deleted content, such as secrets that were stored before secrets were sealed.
  database.pragma('secure_delete = fast')
  return new ImmediateDialect({ database })
}

/** Opens `postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE`, with the parameters of `pg`. */
export function openPostgres(url: string): Dialect {
  // By default `pg` returns 64-bit integers as text. Parse them as numbers: our times and counts are below 2^53.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: busyTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
    types,
  })
  // The pool replaces a broken connection; if that fails too, the next statement throws. Only errors of idle connections come here.
  const ignore = () => undefined
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return new PostgresDialect({ pool })
}

/** Names of column types for migrations. Integers hold milliseconds since 1970. */
export type ColumnTypes = { readonly blob: 'blob' | 'bytea'; readonly integer: 'integer' | 'bigint' }

/** Returns the column types of the engine. */
export function chooseColumnTypes<T>(db: Kysely<T>): ColumnTypes {
  return isSqlite(db) ? { blob: 'blob', integer: 'integer' } : { blob: 'bytea', integer: 'bigint' }
}

/**
 * Runs migrations while other processes that start at the same time wait. On PostgreSQL, Kysely's migrator takes an advisory lock. On
 * SQLite its lock does nothing, so one transaction encloses all migrations.
 */
export function migrateAlone<T>(db: Kysely<T>, migrate: (db: Kysely<T>) => Promise<void>): Promise<void> {
  return isSqlite(db) ? db.transaction().execute(migrate) : migrate(db)
}

/** Locks the rows and skips those that others have locked. SQLite has only one writer, so nothing is ever skipped there. */
export function takeRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
): SelectQueryBuilder<Tables, T, Row> {
  return isSqlite(db) ? query : query.forNoKeyUpdate().skipLocked()
}

/** Locks the rows, and waits for those that others have locked. Order several rows by id, so that transactions cannot deadlock. */
export function lockRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
): SelectQueryBuilder<Tables, T, Row> {
  return isSqlite(db) ? query : query.forNoKeyUpdate()
}

/** Whether a statement failed because a value that must be unique exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && uniqueViolations.has(error.code)
}

const uniqueViolations: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

/** Whether a statement failed because the database is busy, full, stopping or out of reach. The same statement may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'code' in error ? unavailable.test(String(error.code)) : lostConnection.test(error.message)
}

/** Names of SQLite, classes of PostgreSQL's codes (connection, rollback, resources, operator), and Node.js' codes of connections. */
const unavailable =
  /^(?:SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN)\w*|(?:08|40|53|57)\w{3}|E(?:CONN|HOST|NET)\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/

/** Messages of `pg` for errors without a code. */
const lostConnection = /^Connection terminated|^timeout exceeded when trying to connect$|encountered a connection error/

function isSqlite<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}

/** A plain `begin` takes the write lock only at the first write, which then fails when the transaction has read outdated rows. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class TransactionalAdapter extends SqliteAdapter {
  /** SQLite can roll back changes of tables. Kysely's adapter says no by default. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}
