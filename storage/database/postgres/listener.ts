// A connection that receives messages of other processes (LISTEN, https://www.postgresql.org/docs/current/sql-listen.html).
import { Socket } from 'node:net'
import pg from 'pg'

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

/** Time between two checks of the connection, in milliseconds. A network can lose a connection without either end noticing. */
const checkIntervalMs = 10_000

/** Wait before the second attempt to connect, in milliseconds; doubles with each further attempt. */
const firstRetryMs = 250
const maxRetryMs = 10_000

/** Number of consecutive failures to report. A restart of PostgreSQL usually causes fewer. */
const reportedFailure = 4

/** Listens until it is closed. Replaces lost connections. */
export class PostgresListener {
  readonly #url: string
  readonly #options: ListenerOptions
  #failures = 0
  #isClosed = false
  #cancelNext: () => void = () => {}
  #endConnection: () => void = () => {}

  constructor(url: string, options: ListenerOptions) {
    this.#url = url
    this.#options = options
    this.#connect()
  }

  /** Ends the connection. Calls nothing afterwards. */
  close(): void {
    this.#isClosed = true
    this.#cancelNext()
    this.#endConnection()
  }

  #connect(): void {
    const socket = new Socket()
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
      stream: () => socket,
    })
    let isLost = false
    const lose = (error: unknown) => {
      if (isLost) return
      isLost = true
      this.#cancelNext()
      socket.destroy()
      if (!this.#isClosed) this.#retry(error)
    }
    this.#endConnection = () => lose(undefined)
    client.on('error', lose)
    client.on('end', () => lose(new Error('PostgreSQL has closed the connection that listens')))
    client.on('notification', ({ payload = '' }) => this.#options.onMessage(payload))
    this.#listen(client).catch(lose)
  }

  async #listen(client: pg.Client): Promise<void> {
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(this.#options.channel)}`)
    this.#failures = 0
    this.#options.onConnected()
    while (!this.#isClosed) {
      await this.#wait(checkIntervalMs)
      await client.query('select 1')
    }
  }

  #retry(error: unknown): void {
    const { onError, random } = this.#options
    const waitMs = Math.min(firstRetryMs * 2 ** this.#failures++, maxRetryMs) * (0.8 + 0.4 * random())
    if (this.#failures === reportedFailure) onError(error)
    this.#cancelNext = this.#options.after(waitMs, () => this.#connect())
  }

  /** Never resolves when it is cancelled. */
  #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#cancelNext = this.#options.after(ms, resolve)
    return promise
  }
}
