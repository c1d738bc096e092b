import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'

/** PostgreSQL has not answered in time. Whether it has executed the statement is unknown. */
export class PostgresTimeoutError extends Error {
  override name = 'PostgresTimeoutError'
  readonly code = 'ETIMEDOUT'

  constructor(answerMs: number) {
    super(`PostgreSQL has not answered within ${answerMs} ms`)
  }
}

/** A server that was the primary, and is a standby now, refuses changes with this code (`read_only_sql_transaction`). */
const readOnly = '25006'

/** The most statements that each connection keeps prepared. There are fewer, except for lists of values of many lengths. */
const maxPrepared = 100

const names = new Map<string, string>()

/**
 * Finds the name under which PostgreSQL keeps a statement prepared, because to read and plan it can take longer than to execute it.
 * Undefined for a statement that selects all columns: it would fail after a newer version of Floe has added one.
 */
function findName(statement: string): string | undefined {
  const known = names.get(statement)
  if (known !== undefined || names.size >= maxPrepared || /[\s.]\*/.test(statement)) return known
  const name = `floe_${names.size}`
  names.set(statement, name)
  return name
}

/** A connection from the pool. After it has given up one statement, it executes no other. */
export class TimedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #answerMs: number | null
  readonly #onLost: () => void
  #failure: PostgresTimeoutError | undefined

  /**
   * @param answerMs how long PostgreSQL may take to answer a statement, in milliseconds; null means any time
   * @param onLost called when another connection may reach a server that can do more
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
    if (typeof statement !== 'string') throw new TypeError('rows are not read one by one')
    return this.#execute<Row>(statement, parameters)
  }

  release(isBroken = false): void {
    this.#client.release(isBroken || this.#failure !== undefined)
  }

  async #execute<Row>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (this.#failure !== undefined) throw this.#failure
    const silence = Promise.withResolvers<never>()
    const timer = this.#answerMs === null ? undefined : setTimeout(() => silence.reject(this.#giveUp()), this.#answerMs)
    try {
      const query = { name: findName(statement), text: statement, values: [...parameters] }
      const result = await Promise.race([this.#client.query(query), silence.promise])
      // Kysely expects what `pg` gives; the types of `pg` are wider.
      return result as unknown as PostgresQueryResult<Row>
    } catch (error) {
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
