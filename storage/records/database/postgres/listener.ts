// A connection that receives messages of other processes (LISTEN,
// https://www.postgresql.org/docs/current/sql-listen.html).
import { Socket } from 'node:net'
import pg from 'pg'
import { notePostgresError } from '../engine/statement-errors.ts'
import { BackgroundLoop } from '../../../waiting/background-loop.ts'

export type ListenerOptions = {
  readonly channel: string
  readonly onMessage: (message: string) => void
  /** Called when a connection begins to listen: messages before that may have been missed. */
  readonly onConnected: () => void
  /** Called once in each long outage, with its reason. */
  readonly onError: (error: unknown) => void
  /** Calls back once after `ms` milliseconds, unless the returned function cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void
  readonly random: () => number
}

/** Time limit for a connection, and for an answer, in milliseconds. */
const answerMs = 5_000

/**
 * Time between two checks of the connection, in milliseconds. A network can lose a connection without either end
 * noticing.
 */
const checkIntervalMs = 10_000

/** Wait before the second attempt to connect, in milliseconds; doubles with each further attempt. */
const firstRetryMs = 250
const maxRetryMs = 10_000

/** Number of consecutive failures to report. A restart of PostgreSQL usually causes fewer. */
const reportedFailure = 4

type Connection = {
  readonly client: pg.Client
  readonly socket: Socket
  isListening: boolean
  lostBy: Error | undefined
}

/** Listens until it is closed. Replaces lost connections. */
export class PostgresListener {
  readonly #url: string
  readonly #options: ListenerOptions
  readonly #loop: BackgroundLoop
  #connection: Connection | undefined
  #failures = 0

  constructor(url: string, options: ListenerOptions) {
    this.#url = url
    this.#options = options
    this.#loop = new BackgroundLoop({
      work: (signal) => this.#keepConnected(signal),
      restMs: checkIntervalMs,
      after: options.after,
      onError: options.onError,
    })
    void this.#loop.start()
  }

  /** Ends the connection. Calls nothing afterwards. */
  close(): Promise<void> {
    return this.#loop.stop()
  }

  /** Connects, or checks the connection that there is. Returns how long to rest, in milliseconds. */
  async #keepConnected(signal: AbortSignal): Promise<number> {
    const { onError, random } = this.#options
    const connection = this.#connection ?? this.#open(signal)
    // In this pass, a loss of the connection throws and need not wake the loop.
    this.#connection = undefined
    try {
      await (connection.isListening ? connection.client.query('select 1') : this.#listen(connection))
      if (connection.lostBy !== undefined) throw connection.lostBy
      this.#connection = connection
      this.#failures = 0
      return checkIntervalMs
    } catch (error) {
      notePostgresError(error)
      connection.socket.destroy()
      const retryMs = Math.min(firstRetryMs * 2 ** this.#failures++, maxRetryMs) * (0.8 + 0.4 * random())
      if (this.#failures === reportedFailure) onError(error)
      return retryMs
    }
  }

  #open(signal: AbortSignal): Connection {
    const socket = new Socket()
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
      stream: () => socket,
    })
    const connection: Connection = { client, socket, isListening: false, lostBy: undefined }
    const lose = (error: Error) => {
      connection.lostBy ??= error
      if (this.#connection === connection) this.#loop.wake()
    }
    const close = () => socket.destroy()
    signal.addEventListener('abort', close)
    socket.once('close', () => signal.removeEventListener('abort', close))
    client.on('error', lose)
    client.on('end', () => lose(new Error('PostgreSQL has closed the connection that listens')))
    client.on('notification', ({ payload = '' }) => {
      if (!signal.aborted) this.#options.onMessage(payload)
    })
    return connection
  }

  async #listen(connection: Connection): Promise<void> {
    const { channel, onConnected } = this.#options
    await connection.client.connect()
    await connection.client.query(`listen ${pg.escapeIdentifier(channel)}`)
    connection.isListening = true
    onConnected()
  }
}
