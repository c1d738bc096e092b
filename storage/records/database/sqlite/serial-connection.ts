import type { StatementResult, Work } from './open-connection.ts'

/** An error of SQLite, with its code, such as `SQLITE_BUSY`. */
export class SqliteError extends Error {
  override name = 'SqliteError'
  readonly code: string

  constructor({ code, message }: { readonly code: string; readonly message: string }, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export type OpenedConnection = {
  readonly isRunning: boolean
  /** Executes statements after all earlier ones. Throws SqliteErrors. */
  readonly run: (work: Work) => Promise<readonly StatementResult[]>
  readonly stop: () => Promise<void>
}

/** The right to use a connection alone, until it is released. */
export type HeldConnection = Pick<OpenedConnection, 'run'> & { readonly release: () => void }

/** Shorter waits are not counted, in milliseconds: to change the wait for a lock takes longer than some statements. */
const minCountedMs = 100

type Waiting = {
  readonly maxWaitMs: number
  /** Whether it goes before all that wait. */
  readonly isUrgent: boolean
}

/**
 * A connection that one user at a time holds. It is opened when it is first needed, and again after its thread has
 * crashed.
 */
export class SerialConnection {
  readonly #connect: () => Promise<OpenedConnection>
  readonly #maxWaitMs: number
  readonly #elapsed: () => number
  #connection: OpenedConnection | undefined
  #opening: Promise<OpenedConnection> | undefined
  #isHeld = false
  #isStopped = false
  readonly #queue: (() => void)[] = []

  /**
   * @param maxWaitMs how long a user waits for earlier ones. The wait counts as a part of the wait for a lock.
   * @param elapsed a stopwatch, in milliseconds
   */
  constructor(
    connect: () => Promise<OpenedConnection>,
    maxWaitMs: number,
    elapsed: () => number = () => performance.now(),
  ) {
    this.#connect = connect
    this.#maxWaitMs = maxWaitMs
    this.#elapsed = elapsed
  }

  get isOpen(): boolean {
    return this.#connection?.isRunning ?? false
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /**
   * Waits for earlier users, or if it is urgent, only for the current one. Then opens the connection if necessary.
   *
   * @throws SqliteError `SQLITE_BUSY` when the earlier users take too long
   */
  async take({ isUrgent }: Pick<Waiting, 'isUrgent'>): Promise<HeldConnection> {
    const held = await this.takeWithin({ maxWaitMs: this.#maxWaitMs, isUrgent })
    if (held !== undefined) return held
    const message = `the database is busy: statements before this one take more than ${this.#maxWaitMs} ms`
    throw new SqliteError({ code: 'SQLITE_BUSY', message })
  }

  async takeWithin(waiting: Waiting): Promise<HeldConnection | undefined> {
    const since = this.#elapsed()
    if (this.#isHeld && !(await this.#wait(waiting))) return undefined
    const waitedMs = this.#elapsed() - since
    const counted = waitedMs < minCountedMs ? {} : { waitedMs }
    this.#isHeld = true
    try {
      const connection = await this.#findConnection()
      return { run: (work) => connection.run({ ...work, ...counted }), release: () => this.#release() }
    } catch (error) {
      this.#release()
      throw error
    }
  }

  /** Closes the connection after the statements that were sent to it, even while it is being opened. */
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

  async #wait({ maxWaitMs, isUrgent }: Waiting): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const grant = () => resolve(true)
    if (isUrgent) this.#queue.unshift(grant)
    else this.#queue.push(grant)
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(grant), 1)
      resolve(false)
    }, maxWaitMs)
    return promise.finally(() => clearTimeout(timer))
  }

  /** Hands the connection directly to the next in the queue, so that no other caller can take it in between. */
  #release(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#isHeld = false
    else next()
  }
}
