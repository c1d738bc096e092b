// Updates the index of search when heads move, in the background.
import {
  findHeadToIndex,
  IndexLeaseLostError,
  leaseHead,
  type LeasedHead,
  postponeIndexing,
  removeOutdated,
} from '@floe/storage/database'
import { BackgroundLoop, FairQueue } from '@floe/storage/waiting'
import type { Histogram } from 'prom-client'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import { indexForm } from '../describe/list-fingerprints.ts'
import { indexHead, type IndexParts } from './index-head.ts'
import type { SharedTiming } from '../../timing.ts'
import type { IndexReview } from './index-review.ts'

/** How often the indexer looks for moved heads, in milliseconds. First heads and other processes send no wake-up. */
const restMs = 1_000

/** Pauses after failures, in milliseconds. Each is twice as long as the last. */
const firstRetryMs = 5_000
const longestRetryMs = 3_600_000

/** How often the index is compared with the lists of repositories, in milliseconds, if these have changed. */
const reviewMs = 60_000

/**
 * Number of heads that are indexed at once, each of another organisation, and most of them that belong to slow ones.
 * The rest is for those whose stores answer quickly, however many others do not.
 */
const maxRunning = 8
const maxSlow = 4

/** An organisation is slow while its last head took longer than this, in milliseconds. */
const slowMs = 1_000

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
  /** Describing a shard keeps a thread busy, so one is described at a time, and one of slow organisations. */
  readonly #describing = { quick: new FairQueue(), slow: new FairQueue() }
  /** The heads that are being indexed, by organisation. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #slowOrgs = new Set<string>()
  /** The organisation that had the last turn. */
  #lastOrg = ''
  #reviewedAt = -Infinity
  /** What ended an index, and is no failure of a repository. The next pass reports it. */
  #fault: { readonly error: unknown } | undefined
  readonly #loop: BackgroundLoop
  readonly #caughtUp = Promise.withResolvers<void>()
  /** Resolves when for the first time no head is due. */
  readonly caughtUp = this.#caughtUp.promise

  constructor(parts: IndexerParts) {
    this.#parts = parts
    this.#loop = new BackgroundLoop({
      work: async (signal) => {
        this.#throwFault()
        await this.#review()
        return (await this.#beginNext(signal)) ? 0 : restMs
      },
      restMs,
      after: parts.timing.after,
      onError: (error, failures) => {
        // While the database does not answer, one line in the log is enough.
        if (failures === 1) parts.onError(error)
      },
    })
  }

  start(): void {
    void this.#loop.start()
  }

  /** Call this when a head may have moved. */
  wake(): void {
    this.#loop.wake()
  }

  /** Ends after the current steps. Another process, or this one after a restart, goes on when the replica has left. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await Promise.all(this.#running.values())
  }

  #throwFault(): void {
    const fault = this.#fault
    this.#fault = undefined
    if (fault !== undefined) throw fault.error
  }

  /** Begins to index the next head. Returns false when none is due, or as many as possible are being indexed. */
  async #beginNext(signal: AbortSignal): Promise<boolean> {
    const { db, branches, replica, timing } = this.#parts
    // Others would release its leases.
    if (this.#running.size === maxRunning || timing.elapsed() >= replica.life.aliveUntil) return false
    const dueBy = new Date(timing.dueNow())
    const turn = { branches, replica: replica.id, dueBy, afterOrg: this.#lastOrg, busyOrgs: this.#listBusyOrgs() }
    const due = await findHeadToIndex(db, turn)
    if (due === undefined) {
      // The next look then needs one query instead of two.
      this.#lastOrg = ''
      if (this.#running.size === 0) this.#caughtUp.resolve()
      return false
    }
    this.#lastOrg = due.org
    try {
      const head = await leaseHead(db, due, replica.id)
      this.#running.set(due.org, this.#run(head, signal))
    } catch (error) {
      if (!(error instanceof IndexLeaseLostError)) throw error
    }
    return true
  }

  /** Lists the organisations that have to wait. */
  #listBusyOrgs(): readonly string[] {
    const running = [...this.#running.keys()]
    const slow = running.filter((org) => this.#slowOrgs.has(org))
    return slow.length < maxSlow ? running : [...new Set([...running, ...this.#slowOrgs])]
  }

  async #run(head: LeasedHead, signal: AbortSignal): Promise<void> {
    const { elapsed } = this.#parts.timing
    const start = elapsed()
    try {
      await this.#index(head, signal)
    } catch (error) {
      if (!signal.aborted && !(error instanceof IndexLeaseLostError)) this.#fault = { error }
    } finally {
      this.#running.delete(head.org)
      if (elapsed() - start > slowMs) this.#slowOrgs.add(head.org)
      else this.#slowOrgs.delete(head.org)
      this.wake()
    }
  }

  async #index(head: LeasedHead, signal: AbortSignal): Promise<void> {
    const { timing, metrics } = this.#parts
    const start = timing.elapsed()
    try {
      const describing = this.#describing[this.#slowOrgs.has(head.org) ? 'slow' : 'quick']
      await indexHead({ ...this.#parts, describing, dueNow: timing.dueNow }, head, signal)
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
