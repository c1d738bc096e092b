import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Opening, StatementResult, Work } from './open-connection.ts'
import { type OpenedConnection, SqliteError } from './serial-connection.ts'
import type { Answer, Request } from './sqlite-worker.ts'

/**
 * A thread with one connection to a SQLite database. It keeps the process running only while it has something to do.
 */
export class SqliteThread implements OpenedConnection {
  readonly #worker: Worker
  /** Requests without an answer yet; answers come in the same order. */
  readonly #requests: PromiseWithResolvers<Answer>[] = []
  #ended: SqliteError | undefined

  private constructor(opening: Opening) {
    // The thread runs the same kind of file as this one: TypeScript from source, JavaScript in a built package.
    const program = new URL(`./sqlite-worker${extname(import.meta.url)}`, import.meta.url)
    // Without the arguments of Node.js, because a thread refuses some of them, such as `--input-type`.
    this.#worker = new Worker(program, { workerData: opening, name: 'sqlite', execArgv: [] })
    let cause: unknown
    this.#worker.on('message', (answer: Answer) => this.#settle()?.resolve(answer))
    this.#worker.on('error', (error) => (cause = error))
    this.#worker.on('exit', () => {
      this.#ended = new SqliteError(
        { code: 'SQLITE_IOERR_THREAD', message: 'the thread of SQLite has ended' },
        { cause },
      )
      while (this.#requests.length > 0) this.#settle()?.reject(this.#ended)
    })
  }

  static async start(opening: Opening): Promise<SqliteThread> {
    const thread = new SqliteThread(opening)
    try {
      await thread.#expectAnswer()
      return thread
    } catch (error) {
      await thread.stop()
      throw error
    }
  }

  get isRunning(): boolean {
    return this.#ended === undefined
  }

  /** Throws SqliteError also when the thread ends before it answers; it may have executed the statements. */
  run(work: Work): Promise<readonly StatementResult[]> {
    return this.#send(work)
  }

  async stop(): Promise<void> {
    if (this.#ended !== undefined) return
    // Not `once` of `node:events`, which throws when the thread ends with an error.
    const exit = new Promise((resolve) => this.#worker.once('exit', resolve))
    await this.#send('close').catch(() => undefined)
    this.#worker.ref()
    await exit
  }

  async #send(request: Request): Promise<readonly StatementResult[]> {
    if (this.#ended !== undefined) throw this.#ended
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- only windows have origins, not threads
    this.#worker.postMessage(request)
    if (this.#requests.length === 0) this.#worker.ref()
    return this.#expectAnswer()
  }

  async #expectAnswer(): Promise<readonly StatementResult[]> {
    const request = Promise.withResolvers<Answer>()
    this.#requests.push(request)
    const answer = await request.promise
    // Created here, so that its stack shows the caller.
    if ('failure' in answer) throw new SqliteError(answer.failure)
    return answer.results
  }

  #settle(): PromiseWithResolvers<Answer> | undefined {
    const request = this.#requests.shift()
    if (this.#requests.length === 0) this.#worker.unref()
    return request
  }
}
