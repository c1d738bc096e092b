import { Socket } from 'node:net'
import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { TimedClient } from './timed-client.ts'

export type PostgresLimits = {
  readonly connectMs: number
  /** To execute a statement; PostgreSQL itself then cancels it. Null means any time. */
  readonly statementMs: number | null
  /** To answer a statement. After that, the connection counts as lost. Longer than `statementMs`. Null means any time. */
  readonly answerMs: number | null
}

/**
 * How long PostgreSQL keeps an idle transaction open, in milliseconds. A process that froze or lost its connection holds its locks this
 * long. Our transactions wait for nothing but the database, so none of them is idle for long.
 */
const idleTransactionMs = 30_000

/** Opens `postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE`, with the parameters of `pg`. */
export function openPostgres(url: string, limits: PostgresLimits): Dialect {
  return new PostgresDialect({ pool: new TimedPool(url, limits) })
}

/** Connections that are given up when PostgreSQL does not answer in time. */
class TimedPool implements PostgresPool {
  readonly options: object
  readonly #pool: pg.Pool
  readonly #answerMs: number | null
  readonly #sockets = new Set<Socket>()
  /** Connections that were opened since one was lost. The others are likely to be lost too. */
  #fresh = new WeakSet<pg.PoolClient>()

  constructor(url: string, { connectMs, statementMs, answerMs }: PostgresLimits) {
    // `pg` gives 64-bit integers as text by default. Our times and counts are below 2^53.
    const types = new pg.TypeOverrides()
    types.setTypeParser(pg.types.builtins.INT8, Number)
    this.#pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      idle_in_transaction_session_timeout: idleTransactionMs,
      ...(statementMs !== null && { statement_timeout: statementMs }),
      keepAlive: true,
      // Statements that are sent together do not wait for each other's answers.
      pipeline: true,
      types,
      stream: () => this.#openSocket(),
    })
    // The pool replaces a broken connection; if that fails too, the next statement throws. Only errors of idle connections come here.
    const ignore = () => undefined
    this.#pool.on('error', ignore)
    this.#pool.on('connect', (client) => {
      this.#fresh.add(client)
      client.on('error', ignore)
    })
    this.#answerMs = answerMs
    this.options = this.#pool.options
  }

  async connect(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = await this.#pool.connect()
      if (this.#fresh.has(client)) return new TimedClient(client, this.#answerMs, () => (this.#fresh = new WeakSet()))
      client.release(true)
    }
  }

  /** Waits for statements under way, but not until PostgreSQL closes the connections too: it may be out of reach. */
  async end(): Promise<void> {
    await this.#pool.end()
    for (const socket of this.#sockets) socket.destroySoon()
  }

  #openSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }
}
