// Everything in which SQLite and PostgreSQL differ. The other files in this folder use statements that both understand.
import { CompiledQuery, sql, SqliteAdapter } from 'kysely'
import type { DatabaseConnection, Kysely, QueryResult, RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { TransactingConnection } from './sqlite/sqlite-driver.ts'
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

/** Locks the rows of a table, and skips rows that other transactions have locked. SQLite has only one writer, so it never skips any. */
export function takeRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
  of: T,
): SelectQueryBuilder<Tables, T, Row> {
  return isSqlite(db) ? query : query.forNoKeyUpdate(of).skipLocked()
}

/**
 * Locks the rows, of one table if it is named, and waits for rows that other transactions have locked. Order rows by id, so that transactions
 * cannot deadlock.
 */
export function lockRows<T extends keyof Tables, Row>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, T, Row>,
  of?: T,
): SelectQueryBuilder<Tables, T, Row> {
  if (isSqlite(db)) return query
  return of === undefined ? query.forNoKeyUpdate() : query.forNoKeyUpdate(of)
}

/** Compares a column or an expression with a list of texts, passed as one parameter: the statement is the same for lists of any length. */
export function isOneOf(
  db: Kysely<Tables>,
  column: string | RawBuilder<string>,
  texts: readonly string[],
): RawBuilder<SqlBool> {
  const reference = typeof column === 'string' ? sql.ref(column) : column
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

/** Statements by a name for their rows. Undefined ones are skipped. */
type Statements = Readonly<Record<string, CompiledQuery | undefined>>

/** The rows of each statement; none for a skipped one. */
export type RowsOf<S extends Statements> = {
  readonly [Name in keyof S]: readonly (S[Name] extends CompiledQuery<infer Row> | undefined ? Row : never)[]
}

/**
 * Executes statements in order, as one transaction that waits for the database only once. No statement can depend on the rows that another
 * returns, but each sees the changes of those before it. In a transaction, they are executed one by one, as part of it.
 */
export async function executeTogether<S extends Statements>(db: Kysely<Tables>, statements: S): Promise<RowsOf<S>> {
  const names = Object.keys(statements).filter((name) => statements[name] !== undefined)
  const queries = names.flatMap((name) => statements[name] ?? [])
  const results = await (db.isTransaction ? executeInTurn(db, queries) : executeAlone(db, queries))
  const rows = Object.keys(statements).map((name) => [name, results[names.indexOf(name)]?.rows ?? []])
  // The rows are those of the statement with the same name.
  return Object.fromEntries(rows) as RowsOf<S>
}

async function executeInTurn(
  tx: Kysely<Tables>,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  const results = []
  for (const query of queries) results.push(await tx.executeQuery(query))
  return results
}

function executeAlone(db: Kysely<Tables>, queries: readonly CompiledQuery[]): Promise<readonly QueryResult<unknown>[]> {
  return db
    .getExecutor()
    .provideConnection((connection) =>
      isTransacting(connection) ? connection.executeTogether(queries) : sendTogether(connection, queries),
    )
}

function isTransacting(connection: DatabaseConnection): connection is TransactingConnection {
  return 'executeTogether' in connection
}

/**
 * Sends all statements without waiting for the answers. After a failed statement, PostgreSQL refuses the others, and `commit` rolls back.
 */
async function sendTogether(
  connection: DatabaseConnection,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  const all = [CompiledQuery.raw('begin'), ...queries, CompiledQuery.raw('commit')]
  const outcomes = await Promise.allSettled(all.map((query) => connection.executeQuery(query)))
  const results = outcomes.map((outcome) => {
    // The first failure is the cause of the others.
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
  return results.slice(1, -1)
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
  if (code === 'SQLITE_READONLY_DBMOVED') return 'The file of the database was deleted or replaced; changes are lost'
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

/** Writes ids of terms: an array for PostgreSQL, and words for FTS5. */
export function writeIds(db: Kysely<Tables>, ids: readonly number[]): string {
  return isSqlite(db) ? ids.join(' ') : `{${ids.join(',')}}`
}

/** The member `terms` of records as a column of datasets. SQLite has none, and gets them from {@link insertPostings}. */
export function termsColumn(db: Kysely<Tables>): {
  readonly name: RawBuilder<unknown>
  readonly value: RawBuilder<unknown>
} {
  if (isSqlite(db)) return { name: sql``, value: sql`` }
  return { name: sql`, terms`, value: sql`, cast(item.value ->> 'terms' as integer[])` }
}

/** Inserts the terms of new datasets into the index that SQLite has apart. */
export async function insertPostings(
  tx: Kysely<Tables>,
  records: readonly { readonly id: number | undefined; readonly terms: string }[],
): Promise<void> {
  if (isSqlite(tx))
    await sql`
      insert into search_postings (rowid, terms)
      select item.value ->> 'id', item.value ->> 'terms' from ${listRecords(tx, records)}`.execute(tx)
}

/** Whether a dataset of {@link listCandidates} has one of these terms. */
export function hasTerm(db: Kysely<Tables>, ids: readonly number[]): RawBuilder<SqlBool> {
  if (!isSqlite(db)) return sql`search_datasets.terms && ${writeIds(db, ids)}::integer[]`
  return sql`search_datasets.id in (select rowid from search_postings where search_postings match ${writeMatch([ids])})`
}

/** The datasets that have one term of each list, as a part of `from` and a condition. All datasets if there is no list. */
export function listCandidates(db: Kysely<Tables>, lists: readonly (readonly number[])[]): Candidates {
  if (lists.length === 0) return { from: sql`search_datasets`, where: sql`true` }
  if (!isSqlite(db)) {
    const conditions = lists.map((ids) => hasTerm(db, ids))
    return { from: sql`search_datasets`, where: sql`${sql.join(conditions, sql` and `)}` }
  }
  // SQLite keeps the order of a `cross join`.
  const from = sql`search_postings cross join search_datasets on search_datasets.id = search_postings.rowid`
  return { from, where: sql`search_postings match ${writeMatch(lists)}` }
}

/** Whether a dataset has the term of a row of `search_terms`. */
export function isTermUsed(db: Kysely<Tables>): RawBuilder<SqlBool> {
  return isSqlite(db)
    ? sql`exists (select 1 from search_postings where search_postings match cast(search_terms.id as text))`
    : sql`exists (select 1 from search_datasets where terms @> array[search_terms.id])`
}

/**
 * Waits for the transactions that change datasets of search, and makes new ones wait for this one. On SQLite, all transactions wait for each
 * other anyway.
 */
export async function excludeIndexers(tx: Kysely<Tables>): Promise<void> {
  if (!isSqlite(tx)) await sql`lock table search_datasets in share row exclusive mode`.execute(tx)
}

type Candidates = { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<SqlBool> }

/** Writes a query of FTS5 for one id of each list. Digits have no special meaning there. */
function writeMatch(lists: readonly (readonly number[])[]): string {
  return lists.map((ids) => `(${ids.join(' OR ')})`).join(' AND ')
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

/** A text column whose order is that of its bytes. */
export function bytewise(db: Kysely<Tables>, column: RawBuilder<unknown>): RawBuilder<string> {
  return isSqlite(db) ? sql`${column}` : sql`${column} collate "C"`
}

export function isSqlite<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
