// Keeps the index of search at the heads, in the background.
import {
  deleteUnusedTerms,
  findHeadToIndex,
  type HeadToIndex,
  IndexLeaseLostError,
  listIndexedRepositories,
  postponeIndexing,
  removeOtherBranches,
  removeFromIndex,
  returnToIndex,
} from '@floe/storage/database'
import type { FastifyInstance } from 'fastify'
import type { Histogram } from 'prom-client'
import type { FaultLog } from '../../http/observation/fault-log.ts'
import { toReadingProblem } from '../../http/problems/reading-problem.ts'
import type { Timing } from '../../timing.ts'
import { indexHead, type IndexParts } from './index-head.ts'

/** How often the indexer looks for heads when nothing wakes it, in milliseconds. First heads and other processes do not. */
const pauseMs = 1_000

/** Pauses after failures, in milliseconds: each twice the last one. */
const firstRetryMs = 5_000
const longestRetryMs = 3_600_000

/** How often the index is compared with the lists of repositories, in milliseconds, if these have changed. */
const reviewMs = 60_000

/** Terms that are looked at after each head, and deleted if no dataset has them any more. More than a commit usually drops. */
const checkedTerms = 50

type IndexerParts = Omit<IndexParts, 'now'> & {
  readonly timing: Pick<Timing, 'now' | 'elapsed' | 'after'>
  /** Patterns of the branches that are indexed besides `main`. */
  readonly branches: readonly string[]
  readonly metrics: { readonly indexSeconds: Pick<Histogram, 'observe'> }
  /** Called with failures that are no problem of a repository. */
  readonly onError: (error: unknown) => void
}

/** Indexes heads while an application listens. */
export function runIndexer(
  app: FastifyInstance,
  parts: Omit<IndexerParts, 'onError'> & { readonly faults: Pick<FaultLog, 'note'> },
  onEvents: (callback: () => void) => void,
): void {
  const indexer = new SearchIndexer({ ...parts, onError: (err) => parts.faults.note(err, 'search failed to index') })
  onEvents(() => indexer.wake())
  app.addHook('onListen', async () => indexer.start())
  app.addHook('preClose', () => indexer.stop())
}

/**
 * Indexes one head at a time. Its questions share the reader threads with those of callers, and take at most one thread.
 */
class SearchIndexer {
  readonly #parts: IndexerParts
  readonly #stopping = new AbortController()
  /** The names of each organisation that the index was last compared with. */
  readonly #reviewed = new Map<string, readonly string[]>()
  #reviewedAt = -Infinity
  /** The term that was looked at last. */
  #lastTerm = 0
  #running: Promise<void> | undefined
  #wake = () => {}
  #isAwake = false

  constructor(parts: IndexerParts) {
    this.#parts = parts
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Call this when a head may have moved. */
  wake(): void {
    this.#isAwake = true
    this.#wake()
  }

  /** Ends after the current step. Another process goes on when the lease ends; so does this one after a restart. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let hasFailed = false
    while (!signal.aborted) {
      this.#isAwake = false
      try {
        await this.#review()
        if (await this.#indexNext()) continue
        hasFailed = false
      } catch (error) {
        // While the database is away, one line is enough.
        if (!signal.aborted && !hasFailed) this.#parts.onError(error)
        hasFailed = true
      }
      await this.#pause()
    }
  }

  /** Waits for a head to move, or for a second. */
  async #pause(): Promise<void> {
    if (this.#isAwake || this.#stopping.signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#parts.timing.after(pauseMs, resolve)
    this.#wake = resolve
    await promise
    cancel()
    this.#wake = () => {}
  }

  /** Returns false when no head is due. */
  async #indexNext(): Promise<boolean> {
    const { db, branches, timing, metrics } = this.#parts
    const head = await findHeadToIndex(db, branches, new Date(timing.now()))
    if (head === undefined) return false
    const start = timing.elapsed()
    const { signal } = this.#stopping
    try {
      await indexHead({ ...this.#parts, now: timing.now }, head, signal)
      metrics.indexSeconds.observe((timing.elapsed() - start) / 1_000)
    } catch (error) {
      if (signal.aborted || error instanceof IndexLeaseLostError) return true
      await this.#postpone(head, error)
    }
    this.#lastTerm = await deleteUnusedTerms(db, this.#lastTerm, checkedTerms)
    return true
  }

  async #postpone(head: HeadToIndex, error: unknown): Promise<void> {
    const { db, timing, onError } = this.#parts
    const problem = toReadingProblem(error)
    if (problem === undefined) onError(error)
    const until = timing.now() + Math.min(firstRetryMs * 2 ** head.failures, longestRetryMs)
    await postponeIndexing(db, head, { problem: problem?.message ?? 'The index failed', until: new Date(until) })
  }

  /** Removes what is gone from the index, and has repositories indexed that are back. */
  async #review(): Promise<void> {
    const { db, branches, catalogs, timing } = this.#parts
    if (timing.elapsed() - this.#reviewedAt < reviewMs) return
    if (this.#reviewedAt === -Infinity) await removeOtherBranches(db, branches)
    this.#reviewedAt = timing.elapsed()
    for (const [org, catalog] of catalogs) {
      const names = catalog.getKnownNames()
      if (names === undefined || this.#reviewed.get(org) === names) continue
      const known = new Set(names)
      const indexed = [...(await listIndexedRepositories(db, org))]
      const gone = indexed.filter(([name, { isGone }]) => !isGone && !known.has(name))
      const back = indexed.filter(([name, { isGone }]) => isGone && known.has(name))
      for (const [, { id }] of gone) await removeFromIndex(db, [id])
      if (back.length > 0)
        await returnToIndex(
          db,
          back.map(([, { id }]) => id),
        )
      this.#reviewed.set(org, names)
    }
  }
}
