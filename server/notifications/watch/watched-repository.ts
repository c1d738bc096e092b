// Polls the head of one repository, and remembers what the checks have found.
import { isAbsolute } from 'node:path'
import { explainUnavailable, type WantedSelection, type RefSelection, writeSelection } from '@floe/storage/database'
import { ObjectStoreTimeoutError } from '@floe/storage/objects'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { Metrics } from '../../observation/metrics.ts'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import { type CheckedHead, checkHead } from './checks/check-head.ts'
import type { CheckParts } from './checks/check-parts.ts'
import { Judgements } from './judgements.ts'
import { LocalChanges } from './local-changes.ts'
import { NextPoll } from './next-poll.ts'
import type { Polled, PollQueue } from './poll-queue.ts'
import { Readability } from './readability.ts'

export type PollParts = CheckParts & {
  readonly polls: PollQueue
  /** Time between two polls of a followed repository, in milliseconds; see `WantedSelection`. */
  readonly pollIntervalMs: number
  /** Whether this process polls the repository with this id now, and no other does. */
  readonly isPolling: (repoId: string) => boolean
  readonly metrics: Pick<Metrics, 'polls' | 'pollSeconds' | 'pollLagSeconds' | 'headsMoved'>
  /** Called when a check has recorded an event. */
  readonly onEvent: () => void
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

/** What the checks of a repository have found. */
type Findings = Pick<LastCheck, 'checkedAt' | 'error'> & {
  /**
   * The head of the last successful check; undefined if this process did not poll the repository then, because it would
   * miss the next move.
   */
  readonly head: CheckedHead | undefined
  /** The selection used by the check that found `head`. */
  readonly selection: string | null
  /** Checks that have failed since the last success. */
  readonly failures: number
}

const noFindings: Findings = { head: undefined, selection: null, checkedAt: null, error: undefined, failures: 0 }

/** Longest check, in milliseconds. */
const checkLimitMs = 30_000

/** A failure counts as lasting after this many failed checks in a row. Fewer usually mean a copy in progress. */
const lastingFailures = 4

/** One repository: checks its refs, on request and at intervals, one check at a time. */
export class WatchedRepository implements Polled {
  readonly entry: CatalogEntry
  isQueued = false
  readonly #parts: PollParts
  readonly #readability: Readability
  readonly #judgements: Judgements
  readonly #nextPoll: NextPoll
  /** Undefined before the first check, and for repositories that are not on this machine. */
  #changes: LocalChanges | undefined
  #findings = noFindings
  #running: Promise<CheckedHead> | undefined
  /** The check after the running one, if somebody waits for it. */
  #next: Promise<CheckedHead> | undefined
  #abort: AbortController | undefined
  /** Whether a check is planned because of a change. */
  #hasChanged = false
  #wanted: WantedSelection
  /** Whether each check is followed by a poll. */
  #isWatched = false
  #isClosed = false

  constructor(entry: CatalogEntry, parts: PollParts, wanted: WantedSelection) {
    this.#wanted = wanted
    this.entry = entry
    this.#parts = parts
    this.#readability = new Readability(parts, entry.id)
    this.#nextPoll = new NextPoll(this, parts)
    const onJudged = () => this.#nextPoll.advance(this.#judgements.nextDueAt)
    this.#judgements = new Judgements({ ...parts, onJudged }, entry)
  }

  get isFailing(): boolean {
    return this.#findings.failures > 0
  }

  /** How late the next poll is, in milliseconds; 0 if it is not due, or under way. */
  get lateMs(): number {
    return this.#running === undefined ? (this.#nextPoll.lateMs ?? 0) : 0
  }

  get lastCheck(): LastCheck {
    const { head, checkedAt, error } = this.#findings
    const { snapshotId = null, formatVersion = null } = (this.#isPolling() ? head : undefined) ?? {}
    return { snapshotId, formatVersion, checkedAt, error }
  }

  /**
   * Polls the repository from now on: at once at the first call, when it begins to be followed, when more or fewer refs
   * are watched, and when its expectations change.
   */
  watch(wanted: WantedSelection): void {
    if (this.#isClosed) return
    const { selection, isFollowed, judgedKey } = this.#wanted
    const isSame = writeSelection(wanted.selection) === writeSelection(selection) && wanted.judgedKey === judgedKey
    const isUrgent = !this.#isWatched || !isSame || (wanted.isFollowed && !isFollowed)
    this.#isWatched = true
    this.#wanted = wanted
    if (isUrgent) this.#nextPoll.hurry()
  }

  /**
   * Polls the repository more or less often, or for other refs, if it is polled. The next check reads these refs in any
   * case.
   */
  noteWantedSelection(wanted: WantedSelection): void {
    if (this.#isWatched) this.watch(wanted)
    else this.#wanted = wanted
  }

  /**
   * Checks the repository now, or after the running check; all who wait for that share the next one. Throws the error
   * of the check.
   */
  check(): Promise<CheckedHead> {
    if (this.#running !== undefined) return (this.#next ??= this.#checkNext())
    this.#nextPoll.cancel()
    this.#running = this.#check().finally(() => {
      this.#running = undefined
      this.#planPoll()
    })
    return this.#running
  }

  async #checkNext(): Promise<CheckedHead> {
    await this.#waitForEnd()
    this.#next = undefined
    return this.check()
  }

  /** Resolves when what the last check has found is judged. */
  get judgementsEnded(): Promise<void> {
    return this.#judgements.ended
  }

  /**
   * Checks the repository soon, because it may have changed. All changes until that check begins share it. Earlier
   * failures no longer count: the change may have repaired the repository, or may be half complete.
   */
  noteChange(): void {
    this.#hasChanged = true
    this.#parts.polls.add(this)
  }

  /** Judges the repository soon, because something was said of a snapshot. */
  noteRemark(): void {
    this.#judgements.noteRemark()
    this.noteChange()
  }

  /**
   * Checks the repository because it may have changed, or polls it, unless a check has begun since or another process
   * polls it now.
   */
  async runCheck(): Promise<void> {
    if (this.#hasChanged) await this.#waitForEnd()
    if (this.#isClosed) return
    const { lateMs } = this.#nextPoll
    if (this.#hasChanged) {
      this.#hasChanged = false
      this.#findings = { ...this.#findings, failures: 0 }
      await this.check().catch(ignore)
    } else if (lateMs !== undefined) {
      this.#parts.metrics.pollLagSeconds.observe(lateMs / 1_000)
      if (this.#isPolling()) await this.check().catch(ignore)
      else {
        this.#readability.forget()
        this.#judgements.forget()
        this.#planPoll()
      }
    }
  }

  /** Stops polling and aborts the running check and judgement, because the service stops. */
  async close(): Promise<void> {
    const reason = new Error('the service is stopping')
    this.#abort?.abort(reason)
    this.#judgements.abort(reason)
    await this.retire()
  }

  /** Stops polling, because the repository is gone. A running check continues, because a caller may wait for it. */
  async retire(): Promise<void> {
    this.#isClosed = true
    this.#isWatched = false
    this.#nextPoll.cancel()
    await this.#waitForEnd()
    await this.#judgements.ended
    this.#changes?.close()
  }

  /** Resolves when the running check has ended. */
  async #waitForEnd(): Promise<void> {
    await this.#running?.catch(ignore)
  }

  #planPoll(): void {
    if (!this.#isWatched) return
    const { failures } = this.#findings
    const { isFollowed } = this.#wanted
    this.#nextPoll.plan({ isFollowed, failures, judgeAt: this.#judgements.nextDueAt })
  }

  async #check(): Promise<CheckedHead> {
    const { timing, metrics, states, onEvent } = this.#parts
    const { org, name, repository } = this.entry
    const [start, startedAt] = [timing.elapsed(), timing.now()]
    const abort = new AbortController()
    this.#abort = abort
    const cancelLimit = timing.after(checkLimitMs, () => {
      const what = `was not read within ${checkLimitMs / 1000} s`
      abort.abort(new ObjectStoreTimeoutError(repository.location, 'main', what))
    })
    try {
      const { selection, judgedKey } = this.#wanted
      const head = await this.#readHead(selection, abort.signal)
      const polledHead = this.#isPolling() ? head : undefined
      const checkedAt = timing.now()
      this.#findings = { ...noFindings, head: polledHead, selection: writeSelection(selection), checkedAt }
      states.note({ org, repo: name }, undefined)
      const hasMoved = head.snapshotId !== head.previousSnapshotId
      metrics.polls.inc({ result: hasMoved ? 'moved' : 'unchanged' })
      if (hasMoved) metrics.headsMoved.inc()
      if (head.hasEvents) onEvent()
      if (this.#isPolling()) await this.#readability.noteSuccess()
      // In version 1, that of `main` does not cover tags.
      const version = head.formatVersion === 1 ? undefined : head.version
      this.#judgements.noteCheck({ judgedKey, version, startedAt })
      return head
    } catch (error) {
      metrics.polls.inc({ result: 'failed' })
      await this.#noteFailure(error)
      throw error
    } finally {
      cancelLimit()
      this.#abort = undefined
      // Polls of most repositories need only the version of the state, and the states of all would fill the memory.
      repository.releaseIdleState()
      metrics.pollSeconds.observe((timing.elapsed() - start) / 1_000)
    }
  }

  async #noteFailure(error: unknown): Promise<void> {
    const { timing, states, onError } = this.#parts
    const { org, name } = this.entry
    const failures = this.#findings.failures + 1
    this.#findings = { ...this.#findings, error, failures, checkedAt: timing.now() }
    if (explainUnavailable(error) !== undefined) onError(error)
    else if (!this.#isClosed) {
      const isFault = toReadingProblem(error) === undefined
      states.note({ org, repo: name }, error, isFault || failures >= lastingFailures)
    }
    if (this.#isClosed || !this.#isPolling()) return
    try {
      await this.#readability.noteFailure(error)
    } catch (databaseError) {
      onError(databaseError)
    }
  }

  #isPolling(): boolean {
    return this.#parts.isPolling(this.entry.id)
  }

  /**
   * Reads the head with one conditional read (two in version 1) if neither the repository nor the selection has changed
   * since the last check. Otherwise, and after a failure, also compares it with the recorded head in the database.
   */
  async #readHead(selection: RefSelection, signal: AbortSignal): Promise<CheckedHead> {
    const { head, selection: checkedSelection, failures } = this.#findings
    const last = failures === 0 && checkedSelection === writeSelection(selection) ? head : undefined
    if (last?.version !== undefined && (await this.entry.repository.readFreshVersion(signal)) === last.version) {
      return { ...last, previousSnapshotId: last.snapshotId, eventId: null, hasEvents: false }
    }
    // Begins before the read, so that a change after the read is noticed.
    if (!this.#isClosed && this.#isPolling()) await this.#noticeChanges()
    return checkHead(this.#parts, this.entry, selection, signal)
  }

  async #noticeChanges(): Promise<void> {
    const { location } = this.entry.repository
    // Every location that is not a directory starts with a scheme.
    if (isAbsolute(location)) this.#changes ??= new LocalChanges(location, this)
    await this.#changes?.renew()
  }
}

/** For failures of checks that nobody waits for: `lastCheck` has them, and lasting ones are in the log. */
function ignore(): void {}
