// Polls the head of one repository and caches the result of the last check.
import { isAbsolute } from 'node:path'
import { type RefSubscription, type WatchedSelection, writeSelection } from '@floe/storage/database'
import { ObjectStoreTimeoutError } from '@floe/storage/objects'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { explainOutage } from '../../http/observation/fault-log.ts'
import type { Metrics } from '../../http/observation/metrics.ts'
import type { Timing } from '../../timing.ts'
import type { CheckPlace, CheckTurns } from './check-turns.ts'
import { type CheckedHead, checkHead, type CheckParts } from './check-head.ts'
import { LocalChanges } from './local-changes.ts'
import type { PollSchedule } from './poll-schedule.ts'
import { Readability } from './readability.ts'

export type CheckOptions = Omit<CheckParts, 'timing'> & {
  readonly schedule: PollSchedule
  readonly turns: CheckTurns
  /** Time between two polls of a repository with receivers, in milliseconds. */
  readonly pollIntervalMs: number
  readonly timing: Timing
  /** Whether this process polls the repository with this id now, and no other does. */
  readonly isPolling: (repoId: string) => boolean
  readonly metrics: Pick<Metrics, 'polls' | 'pollSeconds' | 'pollLagSeconds' | 'headsMoved'>
  /** Called when a check has recorded an event. */
  readonly onEvent: () => void
  /** Called when the database cannot be used. */
  readonly onError: (error: unknown) => void
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

const checkLimitMs = 30_000

/** Failures in a row that are a lasting failure; fewer are usually a copy in progress. */
const lastingFailures = 4

/** Wait after the first failure, in milliseconds; it doubles with each further failure. A copy in progress is usually complete by then. */
const firstRetryMs = 200

/** Repositories without receivers, and those that keep failing, have this multiple of the interval. */
const slowFactor = 10

export class WatchedRepository {
  readonly entry: CatalogEntry
  readonly #options: CheckOptions
  readonly #place: CheckPlace
  readonly #readability: Readability
  /** Undefined before the first check, and for repositories that are not on this machine. */
  #changes: LocalChanges | undefined
  #head: CheckedHead | undefined
  /** What the check that found the head has followed. */
  #checkedSelection: string | null = null
  #checkedAt: number | null = null
  #error: unknown
  /** Checks that have failed since the last success. */
  #failures = 0
  #running: Promise<CheckedHead> | undefined
  #abort: AbortController | undefined
  /** Whether a scheduled check waits for its turn. */
  #isWaiting = false
  /** Whether a check is planned because of a change. */
  #hasChanged = false
  #subscription: RefSubscription
  /** Whether each check is followed by a poll. */
  #isWatched = false
  #isClosed = false
  /** When the next poll begins or began to wait for its turn, by the stopwatch; undefined if none is planned. */
  #dueAt: number | undefined

  constructor(entry: CatalogEntry, options: CheckOptions, subscription: RefSubscription) {
    this.#subscription = subscription
    this.entry = entry
    this.#options = options
    this.#readability = new Readability(options, entry.id)
    this.#place = options.turns.findPlace(entry.org, entry.location)
  }

  get lastCheck(): LastCheck {
    const { snapshotId = null, formatVersion = null } = (this.#isPolling() ? this.#head : undefined) ?? {}
    return { snapshotId, formatVersion, checkedAt: this.#checkedAt, error: this.#error }
  }

  /** Polls the repository from now on: at once at the first call, at the first receiver, and when more or fewer refs are watched. */
  watch(subscription: RefSubscription): void {
    if (this.#isClosed) return
    const { selection, isEnabled } = this.#subscription
    const isSame = writeSelection(subscription.selection) === writeSelection(selection)
    const isUrgent = !this.#isWatched || !isSame || (subscription.isEnabled && !isEnabled)
    this.#isWatched = true
    this.#subscription = subscription
    if (!isUrgent) return
    this.#cancelPoll()
    this.#dueAt = this.#options.timing.elapsed()
    this.#wait()
  }

  /** Polls the repository more or less often, or for other refs, if it is polled. The next check looks at these refs in any case. */
  noteSubscription(subscription: RefSubscription): void {
    if (this.#isWatched) this.watch(subscription)
    else this.#subscription = subscription
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
  noteChange(): void {
    this.#hasChanged = true
    this.#wait()
  }

  /** Waits for the turn of a poll that is due. */
  beginPoll(): void {
    this.#wait()
  }

  /** Checks the repository because it may have changed, or polls it, unless a check has begun since or another process polls it now. */
  async runTurn(): Promise<void> {
    const { metrics, timing } = this.#options
    if (this.#hasChanged) await this.#waitForEnd()
    this.#isWaiting = false
    if (this.#isClosed) return
    if (this.#hasChanged) {
      this.#hasChanged = false
      this.#failures = 0
      await this.check().catch(ignore)
    } else if (this.#dueAt !== undefined && this.#dueAt <= timing.elapsed()) {
      metrics.pollLagSeconds.observe((timing.elapsed() - this.#dueAt) / 1_000)
      if (this.#isPolling()) await this.check().catch(ignore)
      else {
        this.#readability.forget()
        this.#planPoll()
      }
    }
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
    const { pollIntervalMs, timing, schedule } = this.#options
    const usualMs = this.#subscription.isEnabled ? pollIntervalMs : pollIntervalMs * slowFactor
    const retryMs = Math.min(firstRetryMs * 2 ** (this.#failures - 1), pollIntervalMs * slowFactor)
    const waitMs = (this.#failures === 0 ? usualMs : retryMs) * (0.8 + 0.4 * timing.random())
    this.#dueAt = schedule.plan(this, waitMs)
  }

  #cancelPoll(): void {
    if (this.#dueAt !== undefined) this.#options.schedule.cancel(this, this.#dueAt)
    this.#dueAt = undefined
  }

  #wait(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    const { steady, failing } = this.#place
    const queue = this.#failures > 0 ? failing : steady
    queue.add(this)
  }

  async #check(): Promise<CheckedHead> {
    const { timing, metrics, states, onEvent, onError } = this.#options
    const { org, name, repository } = this.entry
    const start = timing.elapsed()
    const abort = new AbortController()
    this.#abort = abort
    const cancelLimit = timing.after(checkLimitMs, () => {
      const what = `was not read within ${checkLimitMs / 1000} s`
      abort.abort(new ObjectStoreTimeoutError(repository.location, 'main', what))
    })
    try {
      const { selection } = this.#subscription
      const head = await this.#readHead(selection, abort.signal)
      this.#checkedSelection = writeSelection(selection)
      // A process that does not poll would not notice the next move of the head.
      this.#head = this.#isPolling() ? head : undefined
      this.#failures = 0
      this.#error = undefined
      states.note({ org, repo: name }, undefined)
      const hasMoved = head.snapshotId !== head.previousSnapshotId
      metrics.polls.inc({ result: hasMoved ? 'moved' : 'unchanged' })
      if (hasMoved) metrics.headsMoved.inc()
      if (head.hasEvents) onEvent()
      if (this.#isPolling()) await this.#readability.noteSuccess()
      return head
    } catch (error) {
      metrics.polls.inc({ result: 'failed' })
      this.#failures++
      this.#error = error
      if (explainOutage(error) !== undefined) onError(error)
      else if (!this.#isClosed) states.note({ org, repo: name }, error, this.#failures >= lastingFailures)
      if (!this.#isClosed && this.#isPolling()) await this.#readability.noteFailure(error).catch(onError)
      throw error
    } finally {
      cancelLimit()
      this.#abort = undefined
      // Polls of most repositories need only the mark of the state, and the states of all would fill the memory.
      repository.rest()
      metrics.pollSeconds.observe((timing.elapsed() - start) / 1_000)
      this.#checkedAt = timing.now()
    }
  }

  #isPolling(): boolean {
    return this.#options.isPolling(this.entry.id)
  }

  /**
   * Reads the head with one conditional read (two in version 1) if neither the repository nor the selection has changed since the last
   * check. Otherwise, and after a failure, also compares it with the recorded head in the database.
   */
  async #readHead(selection: WatchedSelection, signal: AbortSignal): Promise<CheckedHead> {
    const isSame = this.#checkedSelection === writeSelection(selection)
    const last = this.#failures === 0 && isSame ? this.#head : undefined
    if (last?.mark !== undefined && (await this.entry.repository.readFreshMark(signal)) === last.mark) {
      return { ...last, previousSnapshotId: last.snapshotId, eventId: null, hasEvents: false }
    }
    // Before the read, so that a change after the read is noticed.
    if (!this.#isClosed && this.#isPolling()) await this.#noticeChanges()
    return checkHead(this.#options, this.entry, selection, signal)
  }

  async #noticeChanges(): Promise<void> {
    const { location } = this.entry.repository
    // Every location that is not a directory starts with a scheme.
    if (isAbsolute(location)) this.#changes ??= new LocalChanges(location, this)
    await this.#changes?.renew()
  }
}

/** Failures of scheduled checks are in `lastCheck`, and lasting ones in the log. */
function ignore(): void {}
