// Everything in which SQLite and PostgreSQL differ. All other files in this folder use statements that both understand, and do not depend
// on the engine, except that `execute-together.ts` sends transactions to each in its own way.
import { sql, SqliteAdapter } from 'kysely'
import type { Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables.ts'

/** Names of column types for migrations. Integers hold milliseconds since 1970. */
export type ColumnTypes = { readonly blob: 'blob' | 'bytea'; readonly integer: 'integer' | 'bigint' }

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

/** Compares a column with a list of texts. However long the list is, the statement is the same and has one parameter for it. */
export function isOneOf(db: Kysely<Tables>, column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  const reference = sql.ref(column)
  if (!isSqlite(db)) return sql`${reference} = any(${texts}::text[])`
  return sql`${reference} in (select value from json_each(${JSON.stringify(texts)}))`
}

/**
 * Makes a table of records, as the source of a statement about many rows. Its rows are named `item`; the member `id` of a record is
 * `item.value ->> 'id'`. Texts must be well-formed Unicode and hold no NUL, or PostgreSQL refuses them.
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

/** Wakes the replicas that listen on the channel, this one included. SQLite has no such messages; there, nothing happens. */
export async function notify(db: Kysely<Tables>, channel: string, message: string): Promise<void> {
  if (!isSqlite(db)) await sql`select pg_notify(${channel}, ${message})`.execute(db)
}

/** Whether a statement failed because a value that must be unique exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && uniqueViolations.has(error.code)
}

const uniqueViolations: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505'])

/**
 * Says why a statement failed because the database is busy, full, read-only, stopping or out of reach. The same statement may succeed
 * later. Undefined when it failed for another reason.
 */
export function explainUnavailable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : undefined
  if (!(code === undefined ? lostConnection.test(error.message) : unavailable.test(code))) return undefined
  if (code !== undefined && full.test(code)) return 'The disk of the database is full; nothing was changed'
  if (code !== undefined && readOnly.test(code)) return 'The database is read-only now; nothing was changed'
  return 'The database cannot be used now'
}

/** Names of SQLite, classes of PostgreSQL's codes (connection, rollback, resources, operator), and Node.js' codes of connections. */
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
