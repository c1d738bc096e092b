// Everything in which SQLite and PostgreSQL differ, and nothing else. Nobody else asks which of them it is. The rest of this
// directory writes one set of statements that both understand.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SQLite from 'better-sqlite3'
import { CompiledQuery, PostgresDialect, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely'
import type { DatabaseConnection, Dialect, Kysely, SelectQueryBuilder, SqliteDialectConfig } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** How long a statement waits for another process' write, or for a connection, in milliseconds. */
const busyTimeoutMs = 5_000

/**
 * A process that freezes or is cut off in the middle of a transaction keeps what it has locked so long, in milliseconds. Nothing of ours
 * waits for anything but the database there.
 */
const idleTransactionMs = 30_000

/** A file, created with its directory when missing, or `:memory:`. */
export function openSqlite(file: string): Dialect {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const database = new SQLite(file, { timeout: busyTimeoutMs })
  // Write-ahead logging lets readers go on while another process writes.
  database.pragma('journal_mode = WAL')
  // What is replaced, such as a secret that was not encrypted yet, is overwritten.
  database.pragma('secure_delete = fast')
  return new ImmediateDialect({ database })
}

/** `postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE`, with the parameters of `pg`. */
export function openPostgres(url: string): Dialect {
  // Times and counts are 64-bit integers below 2^53; `pg` would give them as text.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: busyTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
    types,
  })
  // A connection that breaks is replaced; if that fails too, the next statement says so. The pool hears of those that are idle alone.
  const ignore = () => undefined
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return new PostgresDialect({ pool })
}

/** Names of column types for migrations. Integers hold milliseconds since 1970. */
export type ColumnTypes = { readonly blob: 'blob' | 'bytea'; readonly integer: 'integer' | 'bigint' }

/** The types of the engine. */
export function chooseColumnTypes<T>(db: Kysely<T>): ColumnTypes {
  return isSqlite(db) ? { blob: 'blob', integer: 'integer' } : { blob: 'bytea', integer: 'bigint' }
}

/**
 * Runs migrations so that others who start at the same time wait. On PostgreSQL, Kysely's migrator takes an advisory lock;
 * on SQLite its lock does nothing, but a transaction around it all does.
 */
export function migrateAlone<T>(db: Kysely<T>, migrate: (db: Kysely<T>) => Promise<void>): Promise<void> {
  return isSqlite(db) ? db.transaction().execute(migrate) : migrate(db)
}

/** Takes the rows that nobody else has locked; those of others are left out. SQLite has one writer, who has all. */
export function takeRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
): SelectQueryBuilder<Tables, T, Row> {
  return isSqlite(db) ? query : query.forNoKeyUpdate().skipLocked()
}

/** Waits for the rows and locks them. Several are asked for in the order of their ids, so that no two wait for each other. */
export function lockRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
): SelectQueryBuilder<Tables, T, Row> {
  return isSqlite(db) ? query : query.forNoKeyUpdate()
}

/** Whether a statement failed because a value that must be unique is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && uniqueViolations.has(error.code)
}

const uniqueViolations: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

/** Whether a statement failed because the database is busy, full, stopping or out of reach: later, the same may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return 'code' in error ? unavailable.test(String(error.code)) : lostConnection.test(error.message)
}

/** SQLite's names, classes of PostgreSQL's (connection, rollback, resources, operator), and what Node.js says of a connection. */
const unavailable =
  /^(?:SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN)\w*|(?:08|40|53|57)\w{3}|E(?:CONN|HOST|NET)\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/

/** `pg` gives these no code. */
const lostConnection = /^Connection terminated|^timeout exceeded when trying to connect$|encountered a connection error/

function isSqlite<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}

/** A plain `begin` takes the write lock at the first write: whoever has read before that may then find it outdated and fail. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class TransactionalAdapter extends SqliteAdapter {
  /** SQLite does roll back tables; Kysely only avoids it by default. */
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
