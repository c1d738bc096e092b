// Polls the head of one repository and caches the result of the last check.
import { isAbsolute } from 'node:path'
import type { Database } from '@floe/storage/database'
import { ObjectStoreTimeoutError } from '@floe/storage/objects'
import type { CatalogEntry } from '../../catalog/catalog.ts'
import type { Metrics } from '../../http/observation/metrics.ts'
import type { StateLog } from '../../http/observation/state-log.ts'
import type { Timing } from '../../timing.ts'
import { type CheckedHead, checkHead } from './head-move.ts'
import type { HeadRecords } from './head-records.ts'
import { LocalChanges } from './local-changes.ts'

export type CheckOptions = {
  readonly db: Database
  readonly heads: HeadRecords
  /** Time between two polls of a repository with receivers, in milliseconds. */
  readonly pollIntervalMs: number
  readonly timing: Timing
  /** The most commits that a payload lists. */
  readonly maxCommits: number
  /** Whether this process polls the repository with this id now, and no other does. */
  readonly isPolling: (repoId: string) => boolean
  readonly metrics: Pick<Metrics, 'polls' | 'pollSeconds' | 'pollLagSeconds' | 'headsMoved'>
  /** Called when a check has recorded a head move. */
  readonly onHeadMove: () => void
  readonly states: StateLog
}

export type LastCheck = {
  /** Snapshot id of the last head; null before the first check, and while this process does not poll the repository. */
  readonly snapshotId: string | null
  /** Version of the Icechunk format; null when `snapshotId` is. */
  readonly formatVersion: 1 | 2 | null
  /** When the last check ended, in milliseconds since 1970; null before the first check. */
  readonly checkedAt: number | null
  /** Why the last check failed; undefined when it succeeded. */
  readonly error: unknown
}

/** Runs a scheduled check when its turn has come. */
export type TakeTurn = (check: () => Promise<void>, isFailing: boolean) => Promise<void>

const checkLimitMs = 30_000

/** Failures in a row that are a lasting failure; fewer are usually a copy in progress. */
const lastingFailures = 4

/** Wait after the first failure, in milliseconds; it doubles with each further failure. A copy in progress is usually complete by then. */
const firstRetryMs = 200

/** Repositories without receivers, and those that keep failing, have this multiple of the interval. */
const slowFactor = 10

/**
 * Polls begin at multiples of this many milliseconds, so that many begin together, which takes less processor time than a timer for each.
 */
const tickMs = 100

export class WatchedRepository {
  readonly entry: CatalogEntry
  readonly #options: CheckOptions
  readonly #takeTurn: TakeTurn
  readonly #changes: LocalChanges | undefined
  #head: CheckedHead | undefined
  #checkedAt: number | null = null
  #error: unknown
  /** Checks that have failed since the last success. */
  #failures = 0
  #running: Promise<CheckedHead> | undefined
  #abort: AbortController | undefined
  /** Whether a check is planned because of a change. */
  #hasChanged = false
  #hasReceivers = false
  /** Whether each check is followed by a poll. */
  #isWatched = false
  #isClosed = false
  #cancelPoll: () => void = () => {}

  constructor(entry: CatalogEntry, options: CheckOptions, takeTurn: TakeTurn) {
    this.entry = entry
    this.#options = options
    this.#takeTurn = takeTurn
    const { location } = entry.repository
    // Every location that is not a directory starts with a scheme.
    this.#changes = isAbsolute(location) ? new LocalChanges(location, () => void this.noteChange()) : undefined
  }

  get lastCheck(): LastCheck {
    const { snapshotId = null, state } = (this.#isPolling() ? this.#head : undefined) ?? {}
    return { snapshotId, formatVersion: state?.formatVersion ?? null, checkedAt: this.#checkedAt, error: this.#error }
  }

  /** Polls the repository from now on, and at once at the first call and at the first receiver. */
  watch(hasReceivers: boolean): void {
    if (this.#isClosed) return
    const isUrgent = !this.#isWatched || (hasReceivers && !this.#hasReceivers)
    this.#isWatched = true
    this.#hasReceivers = hasReceivers
    if (isUrgent) this.#startPoll()
  }

  /** Stops polling the repository, because another process polls it. A running check continues. */
  unwatch(): void {
    this.#isWatched = false
    this.#cancelPoll()
    this.#changes?.close()
    this.#head = undefined
  }

  /** Checks the repository now, or after the running check. Throws the error of the check. */
  async check(): Promise<CheckedHead> {
    while (this.#running !== undefined) await this.#waitForEnd()
    this.#cancelPoll()
    this.#running = this.#check().finally(() => {
      this.#running = undefined
      this.#planPoll()
    })
    return this.#running
  }

  /**
   * Checks the repository soon, because it may have changed. All changes until that check begins share it. Earlier failures no longer count:
   * the change may have repaired the repository, or may be half complete.
   */
  async noteChange(): Promise<void> {
    if (this.#hasChanged) return
    this.#hasChanged = true
    await this.#takeTurn(async () => {
      await this.#waitForEnd()
      this.#hasChanged = false
      if (this.#isClosed) return
      this.#failures = 0
      await this.check().catch(ignore)
    }, this.#failures > 0)
  }

  /** Stops polling and aborts the running check, because the service stops. */
  async close(): Promise<void> {
    this.#abort?.abort(new Error('the service is stopping'))
    await this.retire()
  }

  /** Stops polling, because the repository is gone. A running check continues, because a caller may wait for it. */
  async retire(): Promise<void> {
    this.#isClosed = true
    this.#isWatched = false
    this.#cancelPoll()
    await this.#waitForEnd()
    this.#changes?.close()
  }

  /** Resolves when the running check has ended. */
  async #waitForEnd(): Promise<void> {
    await this.#running?.catch(ignore)
  }

  /** Plans the next poll: after the interval, or after a growing delay when checks fail. Both vary by a fifth. */
  #planPoll(): void {
    if (!this.#isWatched) return
    const { pollIntervalMs, timing } = this.#options
    const usualMs = this.#hasReceivers ? pollIntervalMs : pollIntervalMs * slowFactor
    const retryMs = Math.min(firstRetryMs * 2 ** (this.#failures - 1), pollIntervalMs * slowFactor)
    const waitMs = (this.#failures === 0 ? usualMs : retryMs) * (0.8 + 0.4 * timing.random())
    const now = timing.elapsed()
    const dueAt = Math.ceil((now + waitMs) / tickMs) * tickMs
    this.#cancelPoll = timing.after(dueAt - now, () => this.#startPoll(dueAt))
  }

  /** Polls as soon as the limit allows, unless a check begins before that or this process no longer polls the repository. */
  #startPoll(dueAt = this.#options.timing.elapsed()): void {
    const { metrics, timing } = this.#options
    let isCancelled = false
    this.#cancelPoll()
    this.#cancelPoll = () => (isCancelled = true)
    void this.#takeTurn(async () => {
      if (isCancelled) return
      metrics.pollLagSeconds.observe(Math.max(timing.elapsed() - dueAt, 0) / 1_000)
      if (this.#isPolling()) await this.check().catch(ignore)
      else this.#planPoll()
    }, this.#failures > 0)
  }

  async #check(): Promise<CheckedHead> {
    const { timing, metrics, states, onHeadMove } = this.#options
    const { org, name, repository } = this.entry
    const start = timing.elapsed()
    const abort = new AbortController()
    this.#abort = abort
    const cancelLimit = timing.after(checkLimitMs, () => {
      const what = `was not read within ${checkLimitMs / 1000} s`
      abort.abort(new ObjectStoreTimeoutError(repository.location, 'main', what))
    })
    try {
      const head = await this.#readHead(abort.signal)
      // A process that does not poll would not notice the next move of the head.
      this.#head = this.#isPolling() ? head : undefined
      this.#failures = 0
      this.#error = undefined
      states.note({ org, repo: name }, undefined)
      const hasMoved = head.snapshotId !== head.previousSnapshotId
      metrics.polls.inc({ result: hasMoved ? 'moved' : 'unchanged' })
      if (hasMoved) metrics.headsMoved.inc()
      if (head.eventId !== null) onHeadMove()
      return head
    } catch (error) {
      metrics.polls.inc({ result: 'failed' })
      this.#failures++
      this.#error = error
      if (!this.#isClosed) states.note({ org, repo: name }, error, this.#failures >= lastingFailures)
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

  /**
   * Reads the head with one conditional read (two in version 1) if the repository has not changed since the last check. Otherwise, and after a
   * failure, also compares it with the recorded head in the database.
   */
  async #readHead(signal: AbortSignal): Promise<CheckedHead> {
    const last = this.#failures === 0 ? this.#head : undefined
    if (last !== undefined && (await this.entry.repository.readFreshState(signal)) === last.state)
      return { ...last, previousSnapshotId: last.snapshotId, eventId: null }
    // Before the read, so that a change after the read is noticed.
    if (!this.#isClosed && this.#isPolling()) await this.#changes?.renew()
    return checkHead(this.#options, this.entry, signal)
  }
}

/** Failures of scheduled checks are in `lastCheck`, and lasting ones in the log. */
function ignore(): void {}
