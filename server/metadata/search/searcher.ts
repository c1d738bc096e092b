import { addAbortListener } from 'node:events'
import { extname } from 'node:path'
import { responseHeaders } from '@floe/contract'
import { databaseFile, type LanedDatabase } from '@floe/storage/database'
import { FairQueue, FairShares, type TenantCaller, waitOrAbort } from '@floe/storage/waiting'
import pLimit from 'p-limit'
import { RequestProblem } from '../../problems/request-problem.ts'
import { SharedSignal } from '../../reading/threads/shared-signal.ts'
import { CalledThread } from '../../reading/threads/thread-calls.ts'
import type { Timing } from '../../timing.ts'
import { answerSearch, type SearchTask } from './answer-search.ts'
import type { SearchReply, ThreadTask } from './search-thread.ts'

/** Maximum number of searches that run or wait. Organisations take turns, and so do the callers of each. */
const maxAdmitted = 200

/** Number of searches that wait for a search thread at once. An organisation takes at most half of these places. */
const maxStarted = 4

/** Number of searches that run at once, each in its thread. */
const maxRunning = 2

/** Longest time of a search with its wait, and longest time that a thread may need, in milliseconds. */
const timeoutMs = 10_000

/**
 * The program of a thread. It has the extension of this file: TypeScript from source, JavaScript in a built package.
 */
const program = new URL(`search-thread${extname(import.meta.url)}`, import.meta.url)

/** Whose search it is. */
export type SearchCaller = {
  readonly caller: TenantCaller
  /** Aborts when the caller has left, which ends the search. */
  readonly signal: AbortSignal
}

/**
 * Searches in threads of their own, because ranking can take 50 ms. The threads start with the first searches. A
 * database in memory is searched here, because no other thread can open it.
 */
export class Searcher {
  readonly #db: LanedDatabase
  readonly #after: Timing['after']
  readonly #threads: readonly CalledThread<ThreadTask>[]
  readonly #idle: CalledThread<ThreadTask>[]
  readonly #admitted = new FairShares(() => maxAdmitted)
  readonly #queue = new FairQueue(maxStarted)
  readonly #limit = pLimit(maxRunning)

  constructor(db: LanedDatabase, { after }: Pick<Timing, 'after'>) {
    this.#db = db
    this.#after = after
    const isInMemory = databaseFile(db.url) === ':memory:'
    const workerData = { url: db.url }
    this.#threads = Array.from(
      { length: isInMemory ? 0 : maxRunning },
      () => new CalledThread<ThreadTask>(program, { name: 'search', workerData, execArgv: process.execArgv }),
    )
    this.#idle = [...this.#threads]
  }

  /**
   * Answers a search with the bytes of a body.
   *
   * @param prepare makes the task when it is the caller's turn
   * @throws RequestProblem `unavailable` when too many searches wait, or there is no answer in time
   * @throws the reason of the signal when the caller has left
   */
  async search({ caller, signal }: SearchCaller, prepare: () => Promise<SearchTask>): Promise<Buffer<ArrayBuffer>> {
    if (!this.#admitted.hasRoom(caller)) throw refuse('Too many searches wait', '1')
    const deadline = new AbortController()
    const late = `The search took longer than ${timeoutMs / 1_000} seconds`
    const stopTimer = this.#after(timeoutMs, () => deadline.abort(refuse(late, '5')))
    const ends = AbortSignal.any([signal, deadline.signal])
    this.#admitted.take(caller)
    const work = this.#queue
      .run(caller, async () => this.#answer(await prepare(), ends), ends)
      .finally(() => this.#admitted.release(caller))
    // The place in the queue is free when the work has ended, the caller at once.
    return waitOrAbort(work, ends).finally(stopTimer)
  }

  async #answer(task: SearchTask, ends: AbortSignal): Promise<Buffer<ArrayBuffer>> {
    ends.throwIfAborted()
    if (this.#threads.length === 0) return answerSearch(this.#db, task, ends)
    return this.#limit(() => {
      ends.throwIfAborted()
      return this.#searchInThread(task, ends)
    })
  }

  /**
   * Ends at the next check of the signal. Otherwise the thread is ended, which takes longer to start than to search.
   */
  async #searchInThread(task: SearchTask, ends: AbortSignal): Promise<Buffer<ArrayBuffer>> {
    // The one that was used last, so that the second starts only when two searches run at once.
    const thread = this.#idle.pop()
    if (thread === undefined) throw new TypeError('more searches run than there are threads')
    const cancellation = new SharedSignal()
    using _leaving = addAbortListener(ends, () => cancellation.abort())
    const timeout = new AbortController()
    const stopTimer = this.#after(timeoutMs, () => timeout.abort())
    try {
      const sent = { ...task, cancellation: cancellation.memory }
      const reply = (await thread.call(sent, [], timeout.signal)) as SearchReply // The program returns this type.
      if (!('unavailable' in reply)) return Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength)
      throw refuse(reply.unavailable, '5')
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

function refuse(detail: string, retryAfter: string): RequestProblem {
  return new RequestProblem('unavailable', detail, { headers: { [responseHeaders.retryAfter.name]: retryAfter } })
}
