// One repository under watch: checks its head, and keeps what the last check found.
import { isAbsolute } from 'node:path'
import type { Database } from '@floe/storage/database'
import { ObjectStoreTimeoutError } from '@floe/storage/objects'
import type { CatalogEntry } from '../../catalog/catalog-entries.ts'
import type { Metrics } from '../../http/observation/metrics.ts'
import { type CheckedHead, checkHead, readUnchanged } from './check-head.ts'
import { LocalChanges } from './local-changes.ts'
import { type PollOptions, PollSchedule } from './poll-schedule.ts'

/** What all repositories under watch share. */
export type CheckOptions = PollOptions & {
  readonly db: Database
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  /** Whether this process polls the repository with this id now, and no other does. */
  readonly isPolling: (repoId: string) => boolean
  readonly metrics: Pick<Metrics, 'polls' | 'pollSeconds' | 'pollLagSeconds' | 'headsMoved'>
  /** Called when a check has recorded a head move. */
  readonly onHeadMove: () => void
  /** Called with a failure that lasts, once until the repository can be read again. */
  readonly onError: (error: unknown) => void
}

/** The result of the last check of a repository. */
export type LastCheck = {
  readonly org: string
  readonly name: string
  readonly repoId: string
  /**
   * Snapshot id of the last head that a check found; null before the first one since the start, and while this process does not poll
   * the repository.
   */
  readonly snapshotId: string | null
  /** Version of the Icechunk format; null when `snapshotId` is. */
  readonly formatVersion: 1 | 2 | null
  /** When the last check ended, in milliseconds since 1970; null before the first. */
  readonly checkedAt: number | null
  /** Why the last check failed; undefined when it succeeded. */
  readonly error: unknown
}

/** Longest check, in milliseconds. */
const checkLimitMs = 30_000

/** Failures in a row before an operator is told; shorter ones are usually a copy in progress. */
const reportedFailure = 4

/** A repository under watch. */
export class WatchedRepository {
  readonly entry: CatalogEntry
  readonly #options: CheckOptions
  readonly #changes: LocalChanges | undefined
  #head: CheckedHead | undefined
  #checkedAt: number | null = null
  #error: unknown
  /** Checks that have failed since the last success. */
  #failures = 0
  #running: Promise<CheckedHead> | undefined
  #abort: AbortController | undefined
  readonly #schedule: PollSchedule
  /** Whether files changed during a check, so that another one follows it. */
  #hasChanged = false
  #isClosed = false

  constructor(entry: CatalogEntry, options: CheckOptions) {
    this.entry = entry
    this.#options = options
    this.#schedule = new PollSchedule(options, () => this.#poll())
    const { location } = entry.repository
    // Every location that is not a directory starts with a scheme.
    this.#changes = isAbsolute(location) ? new LocalChanges(location, () => void this.#checkChange()) : undefined
  }

  get lastCheck(): LastCheck {
    const { org, name, id } = this.entry
    const { snapshotId = null, state } = this.#head ?? {}
    const formatVersion = state?.formatVersion ?? null
    return { org, name, repoId: id, snapshotId, formatVersion, checkedAt: this.#checkedAt, error: this.#error }
  }

  /** Polls the repository from now on. The first call checks it soon, and so does the first receiver. */
  watch(hasReceivers: boolean): void {
    if (!this.#isClosed) this.#schedule.open(hasReceivers)
  }

  /** Polls the repository no more, because another process does. A check that is running goes on. */
  unwatch(): void {
    this.#schedule.close()
    this.#changes?.close()
    this.#head = undefined
  }

  /** Checks the repository now, or when the check that is running has ended. Throws what the check throws. */
  async check(): Promise<CheckedHead> {
    while (this.#running !== undefined) await this.#waitForEnd()
    this.#schedule.cancelNext()
    this.#running = this.#check().finally(() => {
      this.#running = undefined
      this.#schedule.planNext(this.#failures)
    })
    return this.#running
  }

  /** Polls no more, because the service stops. Ends the check that is running. */
  async close(): Promise<void> {
    this.#abort?.abort(new Error('the service is stopping'))
    await this.retire()
  }

  /** Polls no more, because the repository is gone. A check that is running goes on, because a caller may wait for it. */
  async retire(): Promise<void> {
    this.#isClosed = true
    this.#schedule.close()
    await this.#waitForEnd()
    this.#changes?.close()
  }

  /** Resolves when the check that is running now has ended. */
  async #waitForEnd(): Promise<void> {
    await this.#running?.catch(ignore)
  }

  /** Checks after files have changed. Starts to count failures anew: the change may have ended the trouble, or may not be complete yet. */
  async #checkChange(): Promise<void> {
    if (this.#hasChanged) return
    this.#hasChanged = true
    await this.#waitForEnd()
    this.#hasChanged = false
    if (this.#isClosed) return
    this.#failures = 0
    await this.check().catch(ignore)
  }

  /** Checks the repository, unless this process has lost its share of the polls; then it waits to get it back. */
  async #poll(): Promise<void> {
    if (this.#isPolling()) await this.check()
    else this.#schedule.planNext(this.#failures)
  }

  async #check(): Promise<CheckedHead> {
    const { timing, metrics, onHeadMove, onError } = this.#options
    const start = timing.elapsed()
    const abort = new AbortController()
    this.#abort = abort
    const { location } = this.entry.repository
    const cancelLimit = timing.after(checkLimitMs, () => {
      const what = `was not read within ${checkLimitMs / 1000} s`
      abort.abort(new ObjectStoreTimeoutError(location, 'main', what))
    })
    try {
      const head = await this.#readHead(abort.signal)
      // Somebody who does not poll would not notice when the head moves on.
      this.#head = this.#isPolling() ? head : undefined
      this.#failures = 0
      this.#error = undefined
      if (head.eventId === null) metrics.polls.inc({ result: 'unchanged' })
      else {
        metrics.polls.inc({ result: 'moved' })
        metrics.headsMoved.inc()
        onHeadMove()
      }
      return head
    } catch (error) {
      metrics.polls.inc({ result: 'failed' })
      this.#failures++
      this.#error = error
      if (this.#failures === reportedFailure) onError(error)
      throw error
    } finally {
      cancelLimit()
      metrics.pollSeconds.observe((timing.elapsed() - start) / 1_000)
      this.#checkedAt = timing.now()
    }
  }

  #isPolling(): boolean {
    return this.#options.isPolling(this.entry.id)
  }

  /** Asks the database only when the repository has changed or could not be read last time. */
  async #readHead(signal: AbortSignal): Promise<CheckedHead> {
    const { db, maxCommits, timing } = this.#options
    const last = this.#failures === 0 ? this.#head : undefined
    const unchanged = last && (await readUnchanged(this.entry, last, signal))
    if (unchanged !== undefined) return unchanged
    // Before the read, so that a change after the read is noticed.
    if (!this.#isClosed && this.#isPolling()) await this.#changes?.renew()
    return checkHead({ db, maxCommits, now: timing.now }, this.entry, signal)
  }
}

/** Some checks have no caller: their failures are kept in `lastCheck`, and lasting ones go to `onError`. */
function ignore(): void {}
