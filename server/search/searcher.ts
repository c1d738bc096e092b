import { responseHeaders } from '@floe/contract'
import { databaseFile, type LanedDatabase } from '@floe/storage/database'
import { FairQueue, FairShares, type TenantCaller, waitOrAbort } from '@floe/storage/waiting'
import { answerSearch, type IndexTask, type SearchTask } from './answer-search.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Timing } from '../timing.ts'

/** Maximum number of searches that run or wait. Organisations take turns, and so do the callers of each. */
const maxAdmitted = 200

/** Number of searches that wait for a thread at once. An organisation takes at most half of these slots. */
const maxStarted = 4

/** Longest time of a search with its wait, in milliseconds. */
const timeoutMs = 10_000

/** Whose search it is. */
export type SearchCaller = {
  readonly caller: TenantCaller
  /** Aborts when the caller has left, which ends the search. */
  readonly signal: AbortSignal
}

/** The threads that search, besides other work. */
export type SearchThreads = {
  /** Runs a task when a thread is free; organisations and their callers take turns. The signal ends it. */
  readonly run: (
    caller: TenantCaller,
    task: IndexTask,
    limit: { readonly signal: AbortSignal; readonly beginBy: number },
  ) => Promise<Buffer<ArrayBuffer> | { readonly state: 'refused'; readonly detail: string }>
}

/**
 * Lets searches take turns, then runs them in reader threads, because ranking can take 50 ms. They wait apart from
 * questions, so that many searches do not take the slots of questions. A database in memory is searched here, because
 * no other thread can open it.
 */
export class Searcher {
  readonly #db: LanedDatabase
  readonly #readers: SearchThreads
  readonly #after: Timing['after']
  readonly #admitted = new FairShares(() => maxAdmitted)
  readonly #queue = new FairQueue(maxStarted)

  constructor(db: LanedDatabase, readers: SearchThreads, { after }: Pick<Timing, 'after'>) {
    this.#db = db
    this.#readers = readers
    this.#after = after
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
      .run(caller, async () => this.#answer(caller.tenant, await prepare(), ends), ends)
      .finally(() => this.#admitted.release(caller))
    // The slot is free when the work has ended, the caller at once.
    return waitOrAbort(work, ends).finally(stopTimer)
  }

  async #answer(org: string, asked: SearchTask, ends: AbortSignal): Promise<Buffer<ArrayBuffer>> {
    ends.throwIfAborted()
    if (databaseFile(this.#db.url) === ':memory:') return answerSearch(this.#db, asked, ends)
    // In the threads, searches of an organisation take turns with its questions, however many callers search.
    const tenant = { tenant: org, caller: 'search', isAnonymous: false }
    const task: IndexTask = { kind: 'search', database: this.#db.url, asked }
    const reply = await this.#readers.run(tenant, task, { signal: ends, beginBy: Infinity })
    if ('state' in reply) throw refuse(reply.detail, '5')
    return reply
  }
}

function refuse(detail: string, retryAfter: string): RequestProblem {
  return new RequestProblem('unavailable', detail, { headers: { [responseHeaders.retryAfter.name]: retryAfter } })
}
