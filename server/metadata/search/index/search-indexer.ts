// Updates the index of search when heads move, in the background.
import {
  findHeadToIndex,
  IndexLeaseLostError,
  leaseHead,
  type LeasedHead,
  postponeIndexing,
  removeOutdated,
} from '@floe/storage/database'
import { BackgroundLoop } from '@floe/storage/waiting'
import pLimit from 'p-limit'
import type { Histogram } from 'prom-client'
import { toReadingProblem } from '../../../problems/reading-problem.ts'
import { indexForm } from '../../../reading/search/list-fingerprints.ts'
import { indexHead, type IndexParts } from './index-head.ts'
import type { SharedTiming } from '../../../timing.ts'
import type { IndexReview } from './index-review.ts'

/** How often the indexer looks for moved heads, in milliseconds. First heads and other processes send no wake-up. */
const restMs = 1_000

/** Pauses after failures, in milliseconds. Each is twice as long as the last. */
const firstRetryMs = 5_000
const longestRetryMs = 3_600_000

/** How often the index is compared with the lists of repositories, in milliseconds, if these have changed. */
const reviewMs = 60_000

/** Number of heads that are indexed at once, each of another organisation: one that is slow to read leaves room. */
const maxRunning = 2

/** This replica, whose leases end with its life. */
export type IndexingReplica = { readonly id: string; readonly life: { readonly aliveUntil: number } }

type IndexerParts = Omit<IndexParts, 'dueNow' | 'describing'> & {
  readonly timing: Pick<SharedTiming, 'dueNow' | 'elapsed' | 'after'>
  readonly replica: IndexingReplica
  /** Patterns of the branches that are indexed besides `main`. */
  readonly branches: readonly string[]
  readonly review: Pick<IndexReview, 'reviewAll'>
  readonly metrics: { readonly indexSeconds: Pick<Histogram, 'observe'> }
  /** Called with failures that are not caused by a repository. */
  readonly onError: (error: unknown) => void
}

/** Indexes heads; organisations take turns. Its questions share the reader threads with those of callers. */
export class SearchIndexer {
  readonly #parts: IndexerParts
  /** Describing a shard keeps a thread busy, so one is described at a time. */
  readonly #describing = pLimit(1)
  readonly #busyOrgs = new Set<string>()
  /** The organisation that had the last turn. */
  #lastOrg = ''
  #reviewedAt = -Infinity
  readonly #loops: readonly BackgroundLoop[]

  constructor(parts: IndexerParts) {
    this.#parts = parts
    this.#loops = Array.from({ length: maxRunning }, (_, index) => this.#makeLoop(index === 0))
  }

  #makeLoop(isFirst: boolean): BackgroundLoop {
    return new BackgroundLoop({
      work: async (signal) => {
        if (isFirst) await this.#review()
        if (await this.#indexNext(signal)) return 0
        // One loop looks for moved heads while the others have nothing to do.
        return isFirst || this.#busyOrgs.size > 0 ? restMs : Infinity
      },
      restMs,
      after: this.#parts.timing.after,
      onError: (error, failures) => {
        // While the database does not answer, one line in the log is enough.
        if (failures === 1) this.#parts.onError(error)
      },
    })
  }

  start(): void {
    for (const loop of this.#loops) void loop.start()
  }

  /** Call this when a head may have moved. */
  wake(): void {
    for (const loop of this.#loops) loop.wake()
  }

  /** Ends after the current steps. Another process, or this one after a restart, goes on when the replica has left. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()))
  }

  /** Returns false when no head is due. */
  async #indexNext(signal: AbortSignal): Promise<boolean> {
    const { db, branches, replica, timing } = this.#parts
    // Others would release its leases.
    if (timing.elapsed() >= replica.life.aliveUntil) return false
    const dueBy = new Date(timing.dueNow())
    const turn = { branches, replica: replica.id, dueBy, afterOrg: this.#lastOrg, busyOrgs: [...this.#busyOrgs] }
    const due = await findHeadToIndex(db, turn)
    if (due === undefined) {
      // The next look then needs one query instead of two.
      this.#lastOrg = ''
      return false
    }
    // Heads of other organisations may be due too.
    this.wake()
    // The other loop may have found the same one meanwhile.
    if (this.#busyOrgs.has(due.org)) return true
    this.#busyOrgs.add(due.org)
    this.#lastOrg = due.org
    try {
      await this.#index(await leaseHead(db, due, replica.id), signal)
    } catch (error) {
      if (!signal.aborted && !(error instanceof IndexLeaseLostError)) throw error
    } finally {
      this.#busyOrgs.delete(due.org)
    }
    return true
  }

  async #index(head: LeasedHead, signal: AbortSignal): Promise<void> {
    const { timing, metrics } = this.#parts
    const start = timing.elapsed()
    try {
      await indexHead({ ...this.#parts, describing: this.#describing, dueNow: timing.dueNow }, head, signal)
      metrics.indexSeconds.observe((timing.elapsed() - start) / 1_000)
    } catch (error) {
      if (signal.aborted || error instanceof IndexLeaseLostError) throw error
      await this.#postpone(head, error)
    }
  }

  async #postpone(head: LeasedHead, error: unknown): Promise<void> {
    const { db, timing, onError } = this.#parts
    const problem = toReadingProblem(error)
    if (problem === undefined) onError(error)
    const until = timing.dueNow() + Math.min(firstRetryMs * 2 ** head.failures, longestRetryMs)
    await postponeIndexing(db, head, { problem: problem?.message ?? 'The index failed', until: new Date(until) })
  }

  async #review(): Promise<void> {
    const { db, branches, timing, review } = this.#parts
    if (timing.elapsed() - this.#reviewedAt < reviewMs) return
    if (this.#reviewedAt === -Infinity) await removeOutdated(db, branches, indexForm)
    this.#reviewedAt = timing.elapsed()
    await review.reviewAll()
  }
}
