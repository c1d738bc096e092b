import { SqliteError } from './sqlite-error.ts'
import type { Statement, StatementResult } from './open-connection.ts'

/** A connection to a SQLite database. */
export type OpenedConnection = {
  /** False after its thread has crashed. */
  readonly isRunning: boolean
  /** Executes a statement after those before it. */
  readonly run: (statement: Statement) => Promise<StatementResult>
  /** Closes it after the statements before. */
  readonly stop: () => Promise<void>
}

/** The right to use a connection alone. */
export type Turn = {
  /** @throws SqliteError */
  readonly run: (statement: Statement) => Promise<StatementResult>
  /** Lets the next one use it. */
  readonly end: () => void
}

/** A connection that one user at a time has. It is opened when it is first needed, and again when its thread has crashed. */
export class SqliteLane {
  readonly #connect: () => Promise<OpenedConnection>
  readonly #maxWaitMs: number
  #connection: OpenedConnection | undefined
  #isTaken = false
  #isStopped = false
  readonly #queue: (() => void)[] = []

  /**
   * @param connect opens the connection
   * @param maxWaitMs how long a user waits for the users before it, in milliseconds
   */
  constructor(connect: () => Promise<OpenedConnection>, maxWaitMs: number) {
    this.#connect = connect
    this.#maxWaitMs = maxWaitMs
  }

  /** Whether somebody uses it now. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  /**
   * Waits for those before, then opens the connection if that is needed.
   *
   * @throws SqliteError `SQLITE_BUSY` when those before take too long
   */
  async takeTurn(): Promise<Turn> {
    if (this.#isTaken) await this.#wait()
    this.#isTaken = true
    try {
      const connection = await this.#findConnection()
      return { run: (statement) => connection.run(statement), end: () => this.#endTurn() }
    } catch (error) {
      this.#endTurn()
      throw error
    }
  }

  /** Closes the connection after the statements that were sent to it. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#connection?.stop()
  }

  async #findConnection(): Promise<OpenedConnection> {
    if (this.#isStopped) throw new SqliteError({ code: 'SQLITE_MISUSE', message: 'the database is closed' })
    if (this.#connection?.isRunning) return this.#connection
    return (this.#connection = await this.#connect())
  }

  async #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#queue.push(resolve)
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(resolve), 1)
      const message = `the database is busy: statements before this one take more than ${this.#maxWaitMs} ms`
      reject(new SqliteError({ code: 'SQLITE_BUSY', message }))
    }, this.#maxWaitMs)
    await promise.finally(() => clearTimeout(timer))
  }

  /** Hands the turn to the next in the queue, without a moment in which somebody else could take it. */
  #endTurn(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#isTaken = false
    else next()
  }
}
