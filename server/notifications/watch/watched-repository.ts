// One repository under watch: decides when it is checked, and keeps what the last check found.
import { isAbsolute } from 'node:path'
import type { Database } from '@floe/storage/database'
import { ObjectStoreTimeoutError } from '@floe/storage/objects'
import type { LimitFunction } from 'p-limit'
import type { CatalogEntry } from '../../repositories/catalog.ts'
import type { Timing } from '../../timing.ts'
import { type CheckedHead, checkHead } from './check-head.ts'
import { LocalChanges } from './local-changes.ts'

/** What all repositories under watch share. */
export type CheckOptions = {
  readonly db: Database
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  /** Time between two checks of a repository with receivers, in milliseconds. */
  readonly pollIntervalMs: number
  readonly timing: Timing
  /** Bounds the scheduled checks that run at the same time. All other checks start at once. */
  readonly limitScheduled: LimitFunction
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
  /** Snapshot id of the last head that a check found; null before the first one since the start. */
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

/** Wait after the first failure, in milliseconds; it doubles with each further one. A copy in progress is usually complete by then. */
const firstRetryMs = 200

/** Repositories that have no receivers, or that keep failing, are checked this many times less often. */
const seldom = 10

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
  #hasReceivers = false
  /** Whether each check is followed by another one. */
  #isScheduled = false
  #cancelScheduled: () => void = ignore
  /** Whether files changed during a check, so that another one follows it. */
  #hasChanged = false
  #isClosed = false

  constructor(entry: CatalogEntry, options: CheckOptions) {
    this.entry = entry
    this.#options = options
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

  /** Checks the repository at regular intervals from now on. The first call checks it soon, and so does the first receiver. */
  schedule(hasReceivers: boolean): void {
    const isUrgent = !this.#isScheduled || (hasReceivers && !this.#hasReceivers)
    this.#isScheduled = true
    this.#hasReceivers = hasReceivers
    if (isUrgent) this.#checkInTurn()
  }

  /** Checks the repository now, or when the check that is running has ended. Throws what the check throws. */
  async check(): Promise<CheckedHead> {
    while (this.#running !== undefined) await this.#waitForEnd()
    this.#cancelScheduled()
    this.#running = this.#check().finally(() => {
      this.#running = undefined
      this.#scheduleNext()
    })
    return this.#running
  }

  /** Ends the check that is running; no scheduled one follows. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelScheduled()
    this.#abort?.abort(new Error('the service is stopping'))
    await this.#waitForEnd()
    this.#changes?.close()
  }

  /** Resolves when the check that is running now has ended. */
  async #waitForEnd(): Promise<void> {
    await this.#running?.catch(ignore)
  }

  /** Plans the next check: after the interval, or after a growing delay when checks fail. Both vary by a fifth. */
  #scheduleNext(): void {
    if (!this.#isScheduled || this.#isClosed) return
    const { pollIntervalMs, timing } = this.#options
    const usualMs = this.#hasReceivers ? pollIntervalMs : pollIntervalMs * seldom
    const retryMs = Math.min(firstRetryMs * 2 ** (this.#failures - 1), pollIntervalMs * seldom)
    const waitMs = (this.#failures === 0 ? usualMs : retryMs) * (0.8 + 0.4 * timing.random())
    this.#cancelScheduled = timing.after(waitMs, () => this.#checkInTurn())
  }

  /** Checks the repository as soon as the limit of scheduled checks allows, unless another check begins before that. */
  #checkInTurn(): void {
    let isCancelled = false
    this.#cancelScheduled()
    this.#cancelScheduled = () => (isCancelled = true)
    void this.#options.limitScheduled(async () => {
      if (!isCancelled) await this.check().catch(ignore)
    })
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

  async #check(): Promise<CheckedHead> {
    const { db, maxCommits, timing, onHeadMove, onError } = this.#options
    const abort = new AbortController()
    this.#abort = abort
    const { location } = this.entry.repository
    const limit = new ObjectStoreTimeoutError(location, 'main', `was not read within ${checkLimitMs / 1000} s`)
    const cancelLimit = timing.after(checkLimitMs, () => abort.abort(limit))
    try {
      // Before the read, so that a change after the read is noticed.
      if (!this.#isClosed) await this.#changes?.renew()
      this.#head = await checkHead({ db, maxCommits, now: timing.now }, this.entry, this.#head, abort.signal)
      this.#failures = 0
      this.#error = undefined
      if (this.#head.eventId !== null) onHeadMove()
      return this.#head
    } catch (error) {
      this.#failures++
      this.#error = error
      if (this.#failures === reportedFailure) onError(error)
      throw error
    } finally {
      cancelLimit()
      this.#checkedAt = timing.now()
    }
  }
}

/** Scheduled checks have no caller: their failures are kept in `lastCheck`, and lasting ones go to `onError`. */
function ignore(): void {}
