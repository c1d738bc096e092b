import { createHash } from 'node:crypto'
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { notePostgresError } from '../engine/statement-errors.ts'

/** PostgreSQL has not answered in time. It may have executed the statement. */
export class PostgresTimeoutError extends Error {
  override name = 'PostgresTimeoutError'
  readonly code = 'ETIMEDOUT'

  constructor(answerMs: number) {
    super(`PostgreSQL has not answered within ${answerMs} ms`)
  }
}

/** A former primary that is now a standby refuses changes with this code (`read_only_sql_transaction`). */
const readOnly = '25006'

/** Maximum number of prepared statements per connection. Only value lists of many lengths would exceed it. */
const maxPrepared = 100

const names = new Map<string, string>()

/**
 * Returns the name of a prepared statement: parsing and planning can take longer than executing. Undefined for a
 * statement that selects all columns, which would fail after a newer version of Floe adds a column.
 *
 * In all processes, one name means one statement: a pooler that mixes up the sessions of two processes then causes
 * errors, but never executes the statement of the other.
 */
function findName(statement: string): string | undefined {
  const name = names.get(statement)
  if (name !== undefined || names.size >= maxPrepared || /[\s.]\*/.test(statement)) return name
  const newName = `floe_${createHash('sha256').update(statement).digest('hex').slice(0, 32)}`
  names.set(statement, newName)
  return newName
}

/** A connection from the pool. After a time-out, it executes no more statements. */
export class TimedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #answerMs: number | null
  readonly #onLost: () => void
  #failure: PostgresTimeoutError | undefined

  /**
   * @param answerMs time limit for the answer to a statement, in milliseconds; null: no limit
   * @param onLost called when a new connection may reach a better server
   */
  constructor(client: pg.PoolClient, answerMs: number | null, onLost: () => void) {
    this.#client = client
    this.#answerMs = answerMs
    this.#onLost = onLost
  }

  query<Row>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  query<Row>(
    statement: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof statement !== 'string') throw new TypeError('streaming rows is not supported')
    return this.#execute<Row>(statement, parameters)
  }

  /** Gives up a connection that is still in a transaction, because what ends it has failed. */
  release(isBroken = false): void {
    const isUsable = this.#failure === undefined && this.#client.getTransactionStatus() === 'I'
    this.#client.release(isBroken || !isUsable)
  }

  async #execute<Row>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (this.#failure !== undefined) throw this.#failure
    const silence = Promise.withResolvers<never>()
    const timer = this.#answerMs === null ? undefined : setTimeout(() => silence.reject(this.#giveUp()), this.#answerMs)
    try {
      const query = { name: findName(statement), text: statement, values: [...parameters] }
      const result = await Promise.race([this.#client.query(query), silence.promise])
      // Kysely is made for the results of `pg`, whose types are wider.
      return result as unknown as PostgresQueryResult<Row>
    } catch (error) {
      notePostgresError(error)
      if (error instanceof pg.DatabaseError && error.code === readOnly) this.#onLost()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #giveUp(): PostgresTimeoutError {
    this.#onLost()
    return (this.#failure = new PostgresTimeoutError(this.#answerMs ?? 0))
  }
}
