import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { StatementResult, Work } from './open-connection.ts'
import { type HeldConnection, type SerialConnection, SqliteError } from './serial-connection.ts'

/** How long a query waits for the first thread before the second one starts, in milliseconds. A thread takes 12 MB. */
const startReaderAfterMs = 50

/** A connection that executes several statements as one transaction in one call. */
export type TransactingConnection = DatabaseConnection & {
  /** Executes all statements or, when one fails, none. */
  readonly executeTogether: (queries: readonly CompiledQuery[]) => Promise<readonly QueryResult<unknown>[]>
}

/** The connections of a database, and whether statements go to the front of their queues. */
type Threads = { readonly writer: SerialConnection; readonly reader: SerialConnection; readonly isUrgent: boolean }

/**
 * Executes statements in threads. One thread runs all transactions and changes, one after another. It also runs queries
 * outside of transactions while it is free; otherwise they go to a second thread, which reads the last committed state.
 * So queries are answered while a change waits for the disk or for a lock of another process.
 */
export class SqliteDriver implements Driver {
  readonly #threads: Threads

  constructor(threads: Threads) {
    this.#threads = threads
  }

  /** Opens the database, so that errors show immediately. */
  async init(): Promise<void> {
    const held = await this.#threads.writer.take(this.#threads)
    held.release()
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#threads)
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(): Promise<void> {}

  /** Closes the reader first: the last connection removes the write-ahead log, and a reader cannot. */
  async destroy(): Promise<void> {
    await this.#threads.reader.stop()
    await this.#threads.writer.stop()
  }
}

/** A connection for Kysely. Outside of a transaction, each statement chooses its thread. */
class SqliteConnection implements TransactingConnection {
  readonly #threads: Threads
  #held: HeldConnection | undefined

  constructor(threads: Threads) {
    this.#threads = threads
  }

  /**
   * Takes the write lock now: a plain `begin` takes it at the first write, which fails if the rows read before are
   * outdated.
   */
  async begin(): Promise<void> {
    const held = await this.#takeToWrite()
    try {
      await held.run({ mode: 'alone', statements: [{ sql: 'begin immediate', parameters: [] }] })
      this.#held = held
    } catch (error) {
      held.release()
      throw error
    }
  }

  async commit(): Promise<void> {
    await this.#held?.run({ mode: 'inside', statements: [{ sql: 'commit', parameters: [] }] })
    this.#release()
  }

  /** Does not throw, because Kysely would then hide the original error. The next statement rolls back what is left. */
  async rollback(): Promise<void> {
    const statements = [{ sql: 'rollback', parameters: [] }]
    await this.#held?.run({ mode: 'inside', statements }).catch(() => undefined)
    this.#release()
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#held !== undefined) return runQuery<Row>(this.#held, 'inside', query)
    const held = await (isRead(query.sql) ? this.#takeToRead() : this.#takeToWrite())
    try {
      return await runQuery<Row>(held, 'alone', query)
    } finally {
      held.release()
    }
  }

  #takeToWrite(): Promise<HeldConnection> {
    return this.#threads.writer.take(this.#threads)
  }

  async #takeToRead(): Promise<HeldConnection> {
    const { writer, reader, isUrgent } = this.#threads
    if (!writer.isHeld) return this.#takeToWrite()
    const soon = reader.isOpen ? undefined : await writer.takeWithin({ maxWaitMs: startReaderAfterMs, isUrgent })
    return soon ?? reader.take({ isUrgent })
  }

  async executeTogether(queries: readonly CompiledQuery[]): Promise<readonly QueryResult<unknown>[]> {
    const held = await this.#takeToWrite()
    try {
      const statements = queries.map(({ sql, parameters }) => ({ sql, parameters }))
      const results = await held.run({ mode: 'together', statements })
      return results.map((result) => toQueryResult(result))
    } finally {
      held.release()
    }
  }

  // eslint-disable-next-line require-yield -- Kysely requires this method; nothing here streams rows
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('streaming rows is not supported')
  }

  #release(): void {
    this.#held?.release()
    this.#held = undefined
  }
}

/** Whether a statement only reads, whether Kysely has built it or it was written by hand. */
export function isRead(text: string): boolean {
  return reads.test(text)
}

/** A common table expression can come before a change. */
const reads = /^\s*(?:select\b|with\b(?![^]*\b(?:insert|update|delete|replace)\b))/i

async function runQuery<Row>(
  held: HeldConnection,
  mode: Work['mode'],
  query: CompiledQuery,
): Promise<QueryResult<Row>> {
  const { sql, parameters } = query
  const [result] = await held.run({ mode, statements: [{ sql, parameters }] })
  // An empty result would be taken for a table without the row.
  if (result === undefined) throw new SqliteError({ code: 'SQLITE_MISUSE', message: 'the database is closed' })
  return toQueryResult(result)
}

function toQueryResult<Row>({ rows, changes, insertId }: StatementResult): QueryResult<Row> {
  return {
    // Kysely has derived the type of the rows from the statement.
    rows: rows as Row[],
    ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
    ...(insertId !== undefined && { insertId: BigInt(insertId) }),
  }
}
