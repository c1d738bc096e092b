import { SqliteError } from './sqlite-error.ts'
import type { PlacedStatement, Statement, StatementResult } from './open-connection.ts'

/** A connection to a SQLite database. */
export type OpenedConnection = {
  /** False after its thread has crashed. */
  readonly isRunning: boolean
  /** Executes a statement after those before it. */
  readonly run: (statement: PlacedStatement) => Promise<StatementResult>
  /** Executes statements as a transaction of their own. */
  readonly runTogether: (statements: readonly Statement[]) => Promise<readonly StatementResult[]>
  /** Closes it after the statements before. */
  readonly stop: () => Promise<void>
}

/** The right to use a connection alone. What it executes throws SqliteErrors. */
export type Turn = Pick<OpenedConnection, 'run' | 'runTogether'> & {
  /** Lets the next one use it. */
  readonly end: () => void
}

/** A connection that one user at a time has. It is opened when it is first needed, and again when its thread has crashed. */
export class SqliteLane {
  readonly #connect: () => Promise<OpenedConnection>
  readonly #maxWaitMs: number
  #connection: OpenedConnection | undefined
  /** The connection that is being opened. */
  #opening: Promise<OpenedConnection> | undefined
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

  /** Whether it was opened, so that a turn waits for no start of a thread. */
  get isOpen(): boolean {
    return this.#connection?.isRunning ?? false
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
    const turn = await this.takeTurnWithin(this.#maxWaitMs)
    if (turn !== undefined) return turn
    const message = `the database is busy: statements before this one take more than ${this.#maxWaitMs} ms`
    throw new SqliteError({ code: 'SQLITE_BUSY', message })
  }

  /** Waits for those before, but no longer than `maxWaitMs`; undefined when they take longer. */
  async takeTurnWithin(maxWaitMs: number): Promise<Turn | undefined> {
    if (this.#isTaken && !(await this.#wait(maxWaitMs))) return undefined
    this.#isTaken = true
    try {
      const connection = await this.#findConnection()
      return {
        run: (statement) => connection.run(statement),
        runTogether: (statements) => connection.runTogether(statements),
        end: () => this.#endTurn(),
      }
    } catch (error) {
      this.#endTurn()
      throw error
    }
  }

  /** Closes the connection after the statements that were sent to it, also one that is being opened. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#opening?.catch(() => undefined)
    await this.#connection?.stop()
  }

  async #findConnection(): Promise<OpenedConnection> {
    if (this.#isStopped) throw new SqliteError({ code: 'SQLITE_MISUSE', message: 'the database is closed' })
    if (this.#connection?.isRunning) return this.#connection
    this.#opening = this.#connect()
    try {
      return (this.#connection = await this.#opening)
    } finally {
      this.#opening = undefined
    }
  }

  /** Whether the turn came in time. */
  async #wait(maxWaitMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const take = () => resolve(true)
    this.#queue.push(take)
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(take), 1)
      resolve(false)
    }, maxWaitMs)
    return promise.finally(() => clearTimeout(timer))
  }

  /** Hands the turn to the next in the queue, without a moment in which somebody else could take it. */
  #endTurn(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#isTaken = false
    else next()
  }
}
