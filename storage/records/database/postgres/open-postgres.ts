import { Socket } from 'node:net'
import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Lanes } from '../lanes.ts'
import { notePostgresError } from '../engine/statement-errors.ts'
import { TimedClient } from './timed-client.ts'

export type PostgresLimits = {
  readonly connectMs: number
  /** Limit for the execution of a statement, which PostgreSQL then cancels. Null: no limit. */
  readonly statementMs: number | null
  /**
   * Limit for the answer to a statement; after that, the connection counts as lost. Longer than `statementMs`. Null: no
   * limit.
   */
  readonly answerMs: number | null
}

/**
 * How long PostgreSQL keeps an idle transaction open, in milliseconds. A process that froze or lost its connection
 * holds its locks until then. Our transactions wait only for the database, so they are never idle for long.
 */
const idleTransactionMs = 30_000

/**
 * Connections for ordinary statements. An urgent one has a connection of its own, so that it waits for none of these.
 */
const maxConnections = 10

/** Opens `postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE`, with the parameters of `pg`. */
export function openPostgres(url: string, limits: PostgresLimits): Lanes {
  const makeDialect = (connections: number) => new PostgresDialect({ pool: new TimedPool(url, limits, connections) })
  return { ordinary: makeDialect(maxConnections), urgent: makeDialect(1) }
}

/** A pool that drops connections on which PostgreSQL does not answer in time. */
class TimedPool implements PostgresPool {
  readonly options: object
  readonly #pool: pg.Pool
  readonly #answerMs: number | null
  readonly #sockets = new Set<Socket>()
  /** Connections opened since the last one was lost. Older ones are probably lost too. */
  #fresh = new WeakSet<pg.PoolClient>()

  constructor(url: string, { connectMs, statementMs, answerMs }: PostgresLimits, connections: number) {
    // By default, `pg` returns 64-bit integers as text. Our times and counts are below 2^53.
    const types = new pg.TypeOverrides()
    types.setTypeParser(pg.types.builtins.INT8, Number)
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: connectMs,
      idle_in_transaction_session_timeout: idleTransactionMs,
      ...(statementMs !== null && { statement_timeout: statementMs }),
      keepAlive: true,
      // Statements that are sent together do not wait for each other's answers.
      pipeline: true,
      types,
      stream: () => this.#openSocket(),
    })
    // Only errors of idle connections come here. The pool replaces them; if that fails too, the next statement throws.
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
      const client = await this.#connect()
      if (this.#fresh.has(client)) return new TimedClient(client, this.#answerMs, () => (this.#fresh = new WeakSet()))
      client.release(true)
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      notePostgresError(error)
      throw error
    }
  }

  /** Waits for statements under way, but not for PostgreSQL to close the connections: it may be unreachable. */
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
