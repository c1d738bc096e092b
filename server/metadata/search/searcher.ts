import { extname } from 'node:path'
import { responseHeaders } from '@floe/contract'
import { databaseFile, type LanedDatabase } from '@floe/storage/database'
import pLimit from 'p-limit'
import { RequestProblem } from '../../problems/request-problem.ts'
import { CalledThread } from '../../reading/threads/thread-calls.ts'
import type { Timing } from '../../timing.ts'
import { answerSearch, type SearchTask } from './answer-search.ts'
import type { SearchReply } from './search-thread.ts'

/** Number of searches that run at once, each in its thread. */
const maxRunning = 2

/** Longest time of a search, in milliseconds. */
const timeoutMs = 10_000

/**
 * The program of a thread. It has the extension of this file: TypeScript from source, JavaScript in a built package.
 */
const program = new URL(`search-thread${extname(import.meta.url)}`, import.meta.url)

/**
 * Searches in threads of their own, because ranking can take 50 ms. The threads start with the first searches. A
 * database in memory is searched here, because no other thread can open it.
 */
export class Searcher {
  readonly #db: LanedDatabase
  readonly #after: Timing['after']
  readonly #threads: readonly CalledThread<SearchTask>[]
  readonly #idle: CalledThread<SearchTask>[]
  readonly #limit = pLimit(maxRunning)

  constructor(db: LanedDatabase, { after }: Pick<Timing, 'after'>) {
    this.#db = db
    this.#after = after
    const isInMemory = databaseFile(db.url) === ':memory:'
    const workerData = { url: db.url }
    this.#threads = Array.from(
      { length: isInMemory ? 0 : maxRunning },
      () => new CalledThread<SearchTask>(program, { name: 'search', workerData, execArgv: process.execArgv }),
    )
    this.#idle = [...this.#threads]
  }

  /**
   * Answers a search with the bytes of a body, when a thread is free.
   *
   * @throws RequestProblem `unavailable` when the database has no answer in time
   */
  async search(task: SearchTask): Promise<Buffer<ArrayBuffer>> {
    if (this.#threads.length === 0) return answerSearch(this.#db, task)
    return this.#limit(() => this.#searchInThread(task))
  }

  async #searchInThread(task: SearchTask): Promise<Buffer<ArrayBuffer>> {
    // The one that was used last, so that the second starts only when two searches run at once.
    const thread = this.#idle.pop()
    if (thread === undefined) throw new TypeError('more searches run than there are threads')
    const timeout = new AbortController()
    const stopTimer = this.#after(timeoutMs, () => timeout.abort())
    try {
      const reply = (await thread.call(task, [], timeout.signal)) as SearchReply // The program returns this type.
      if (!('unavailable' in reply)) return Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength)
      throw refuse(reply.unavailable)
    } catch (error) {
      throw timeout.signal.aborted ? refuse(`The search took longer than ${timeoutMs / 1_000} seconds`, error) : error
    } finally {
      stopTimer()
      this.#idle.push(thread)
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}

function refuse(detail: string, cause?: unknown): RequestProblem {
  return new RequestProblem('unavailable', detail, { headers: { [responseHeaders.retryAfter.name]: '5' }, cause })
}
