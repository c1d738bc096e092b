// What SQLite and PostgreSQL write differently. The other files of this room use statements that both understand,
// except for the tables (`migrations/`).
import { hash } from 'node:crypto'
import { sql, SqliteAdapter } from 'kysely'
import type { Kysely, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'

export function isSqlite(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}

/** Identifies the advisory locks of Floe among those of other programs. These are the letters `Floe` in ASCII. */
const floeLock = 0x466c6f65

/**
 * Runs migrations in one transaction, and in one process at a time. The lock ends with the transaction: one that ends
 * with the session would stay locked behind a pooler that gives each transaction another session.
 */
export function migrateAlone(db: Kysely<Tables>, migrate: (tx: Kysely<Tables>) => Promise<void>): Promise<void> {
  return transact(db, async (tx) => {
    if (!isSqlite(db)) {
      // Also for a limit that the role or a pooler has set.
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`select pg_advisory_xact_lock(${sql.lit(floeLock)})`.execute(tx)
    }
    await migrate(tx)
  })
}

/** Whether there is a table with this name; on PostgreSQL in the current schema, in which new tables are created. */
export async function hasTable(db: Kysely<Tables>, name: string): Promise<boolean> {
  const query = isSqlite(db)
    ? sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
    : sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`
  return (await query.execute(db)).rows.length > 0
}

/**
 * Locks the rows, of one table if it is named, and waits for rows that other transactions have locked. Order rows by
 * id, so that transactions cannot deadlock. SQLite has one writer at a time, so it needs no locks of rows.
 */
export function lockRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
  of?: T,
): SelectQueryBuilder<Tables, T, Row> {
  if (isSqlite(db)) return query
  return of === undefined ? query.forNoKeyUpdate() : query.forNoKeyUpdate(of)
}

/**
 * Takes a lock with a name until the transaction ends. Only transactions that share it can hold it at the same time.
 * A transaction that waits for it alone comes before later ones that share it, which locks of rows do not promise.
 * SQLite has one writer at a time, so it needs no lock.
 */
export async function lockName(tx: Kysely<Tables>, name: string, mode: 'shared' | 'alone'): Promise<void> {
  if (isSqlite(tx)) return
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  // Two names can have the same number; then one waits for the other without need.
  const key = hash('sha256', name, 'buffer').readInt32BE()
  await sql`select ${lock}(${sql.lit(floeLock)}, ${sql.lit(key)})`.execute(tx)
}

/** Locks the rows of a table, and skips those that other transactions have locked. */
export function lockFreeRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
  of: T,
): SelectQueryBuilder<Tables, T, Row> {
  return isSqlite(db) ? query : query.forNoKeyUpdate(of).skipLocked()
}

/**
 * Compares a column or an expression with a list of texts. The list is one parameter, so that the statement is the same
 * for lists of any length.
 */
export function isOneOf(
  db: Kysely<Tables>,
  column: string | RawBuilder<string>,
  texts: readonly string[],
): RawBuilder<SqlBool> {
  const reference = typeof column === 'string' ? sql.ref(column) : column
  if (!isSqlite(db)) return sql`${reference} = any(${texts}::text[])`
  return sql`${reference} in (select value from json_each(${JSON.stringify(texts)}))`
}

/** Whether a text matches one of the patterns of `storage/globs`. */
export function matchesGlobs(
  db: Kysely<Tables>,
  column: RawBuilder<unknown>,
  globs: readonly string[],
): RawBuilder<SqlBool> {
  if (isSqlite(db)) return sql`matches_globs(${JSON.stringify(globs)}, ${column})`
  return sql`${column} ~ ${`^(?:${globs.map(writeRegex).join('|')})$`}`
}

const regexParts: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }

/** Writes a pattern as a regular expression of PostgreSQL, which compares in linear time. */
function writeRegex(glob: string): string {
  const whole = glob.replace(/(?<![^/])\*\*\/|\*\*|[^\p{L}\p{N}]/gu, (part) => regexParts[part] ?? `\\${part}`)
  return glob.endsWith('/**') ? `(?:${writeRegex(glob.slice(0, -3))}|${whole})` : whole
}

/** The bytes that hexadecimal digits stand for. */
export function fromHex(db: Kysely<Tables>, digits: RawBuilder<unknown>): RawBuilder<Uint8Array> {
  return isSqlite(db) ? sql`unhex(${digits})` : sql`decode(${digits}, 'hex')`
}

/** Collects the texts of many rows in a JSON list. */
export function listAsJson(db: Kysely<Tables>, text: RawBuilder<unknown>): RawBuilder<string> {
  return isSqlite(db) ? sql`json_group_array(${text})` : sql`cast(json_agg(${text}) as text)`
}

/** Writes bytes as hexadecimal digits. */
export function toHex(db: Kysely<Tables>, bytes: RawBuilder<unknown>): RawBuilder<string> {
  return isSqlite(db) ? sql`hex(${bytes})` : sql`encode(${bytes}, 'hex')`
}

/** Whether a column has one of these numbers. The list is one parameter, as in {@link isOneOf}. */
export function isOneOfNumbers(
  db: Kysely<Tables>,
  column: RawBuilder<unknown>,
  numbers: readonly number[],
): RawBuilder<SqlBool> {
  if (!isSqlite(db)) return sql`${column} = any(${numbers}::bigint[])`
  return sql`${column} in (select value from json_each(${JSON.stringify(numbers)}))`
}

/** A text column whose order is that of its bytes. */
export function bytewise(db: Kysely<Tables>, column: RawBuilder<unknown>): RawBuilder<string> {
  return isSqlite(db) ? sql`${column}` : sql`${column} collate "C"`
}

/**
 * Reads the clock of the database, in milliseconds since 1970. Undefined on SQLite, whose processes run on one machine
 * and share its clock.
 */
export async function readClock(db: Kysely<Tables>): Promise<number | undefined> {
  if (isSqlite(db)) return undefined
  const query = sql<{ now: number }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`
  return (await query.execute(db)).rows[0]?.now
}

/**
 * Sends a message to the replicas that listen on the channel, this one included. Does nothing on SQLite, which has no
 * such messages.
 */
export async function notify(db: Kysely<Tables>, channel: string, message: string): Promise<void> {
  if (!isSqlite(db)) await sql`select pg_notify(${channel}, ${message})`.execute(db)
}
