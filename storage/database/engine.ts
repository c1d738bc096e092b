// Everything in which SQLite and PostgreSQL differ. The other files in this folder use statements that both understand. Only
// `execute-together.ts` also depends on the engine: it sends transactions to each in its own way.
import { sql, SqliteAdapter } from 'kysely'
import type { Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables.ts'

/** Names of column types for migrations. Integers hold milliseconds since 1970. */
export type ColumnTypes = { readonly blob: 'blob' | 'bytea'; readonly integer: 'integer' | 'bigint' }

export function chooseColumnTypes<T>(db: Kysely<T>): ColumnTypes {
  return isSqlite(db) ? { blob: 'blob', integer: 'integer' } : { blob: 'bytea', integer: 'bigint' }
}

/**
 * Runs migrations in one process at a time. On PostgreSQL, Kysely's migrator takes an advisory lock. On SQLite its lock does nothing, so one
 * transaction encloses all migrations.
 */
export function migrateAlone<T>(db: Kysely<T>, migrate: (db: Kysely<T>) => Promise<void>): Promise<void> {
  return isSqlite(db) ? db.transaction().execute(migrate) : migrate(db)
}

/** Locks the rows, and skips rows that other transactions have locked. SQLite has only one writer, so it never skips any. */
export function takeRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
): SelectQueryBuilder<Tables, T, Row> {
  return isSqlite(db) ? query : query.forNoKeyUpdate().skipLocked()
}

/** Locks the rows, and waits for rows that other transactions have locked. Order rows by id, so that transactions cannot deadlock. */
export function lockRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
): SelectQueryBuilder<Tables, T, Row> {
  return isSqlite(db) ? query : query.forNoKeyUpdate()
}

/** Compares a column with a list of texts, passed as one parameter: the statement is the same for lists of any length. */
export function isOneOf(db: Kysely<Tables>, column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  const reference = sql.ref(column)
  if (!isSqlite(db)) return sql`${reference} = any(${texts}::text[])`
  return sql`${reference} in (select value from json_each(${JSON.stringify(texts)}))`
}

/**
 * Makes a table of records, for a statement about many rows. Its rows are named `item`; the member `id` of a record is
 * `item.value ->> 'id'`. PostgreSQL refuses texts with NUL or lone surrogates.
 */
export function listRecords(db: Kysely<Tables>, records: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(records)
  return isSqlite(db) ? sql`json_each(${json}) as item` : sql`json_array_elements(${json}::json) as item`
}

/**
 * Reads the clock of the database, in milliseconds since 1970. Undefined on SQLite, whose processes run on one machine and share its
 * clock.
 */
export async function readClock(db: Kysely<Tables>): Promise<number | undefined> {
  if (isSqlite(db)) return undefined
  const query = sql<{ now: number }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`
  return (await query.execute(db)).rows[0]?.now
}

/** Sends a message to the replicas that listen on the channel, this one included. Does nothing on SQLite, which has no such messages. */
export async function notify(db: Kysely<Tables>, channel: string, message: string): Promise<void> {
  if (!isSqlite(db)) await sql`select pg_notify(${channel}, ${message})`.execute(db)
}

/** Whether a statement failed because a value that must be unique already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && uniqueViolations.has(error.code)
}

const uniqueViolations: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

/**
 * Explains the failure of a statement that may succeed later: the database is busy, full, read-only, stopping or unreachable. Undefined when
 * the statement failed for another reason.
 */
export function explainUnavailable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : undefined
  if (!(code === undefined ? lostConnection.test(error.message) : unavailable.test(code))) return undefined
  if (code !== undefined && full.test(code)) return 'The disk of the database is full; nothing was changed'
  if (code !== undefined && readOnly.test(code)) return 'The database is read-only now; nothing was changed'
  return 'The database cannot be used now'
}

/** Codes of SQLite, classes of PostgreSQL's codes (connection, rollback, resources, operator), and connection errors of Node.js. */
const unavailable =
  /^(?:SQLITE_(?:BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|PROTOCOL)\w*|(?:08|40|53|57)\w{3}|25006|E(?:CONN|HOST|NET)\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/

const full = /^(?:SQLITE_FULL|53100)$/

/** PostgreSQL says this after a failover, when the server has become a standby (`read_only_sql_transaction`). */
const readOnly = /^(?:SQLITE_READONLY\w*|25006)$/

/** Messages of `pg` for errors without a code. */
const lostConnection = /^Connection terminated|^timeout exceeded when trying to connect$|encountered a connection error/

function isSqlite<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
