import { type Database, type ReadFailure, recordReadability } from '@floe/storage/database'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import { describeNotice } from '../describe-notice.ts'
import type { Timing } from '../../timing.ts'
import type { HeadRecords } from './checks/head-records.ts'

/** A repository counts as unreadable after this many failed checks in a row, over at least this many milliseconds. */
const minFailedChecks = 3
const minUnreadableMs = 60_000

type ReadabilityParts = {
  readonly db: Database
  readonly heads: Pick<HeadRecords, 'isUnreadable'>
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  /** Called when a notice may have been recorded. */
  readonly onEvent: () => void
}

/** Failed checks in a row. `start` is the time of the first by the stopwatch. */
type Failures = { readonly since: Date; readonly start: number; failedChecks: number }

/**
 * Records when a repository becomes unreadable, and when it can be read again, each with one notice. Used only by the
 * process that polls the repository.
 */
export class Readability {
  readonly #parts: ReadabilityParts
  readonly #repoId: string
  #failures: Failures | undefined
  /** Whether it is recorded as unreadable; undefined while this process does not know. */
  #isUnreadable: boolean | undefined

  constructor(parts: ReadabilityParts, repoId: string) {
    this.#parts = parts
    this.#repoId = repoId
  }

  /** Call this when another process may poll the repository. */
  forget(): void {
    this.#failures = undefined
    this.#isUnreadable = undefined
  }

  /** Notes a check that succeeded. */
  async noteSuccess(): Promise<void> {
    this.#failures = undefined
    this.#isUnreadable ??= await this.#parts.heads.isUnreadable(this.#repoId)
    if (this.#isUnreadable) await this.#record(null)
  }

  /** Notes a check that failed. Failures of the service itself, such as of its database, do not count. */
  async noteFailure(error: unknown): Promise<void> {
    const { timing } = this.#parts
    const problem = toReadingProblem(error)
    if (problem === undefined || this.#isUnreadable === true) return
    this.#failures ??= { since: new Date(timing.now()), start: timing.elapsed(), failedChecks: 0 }
    this.#failures.failedChecks++
    const { since, start, failedChecks } = this.#failures
    if (failedChecks < minFailedChecks || timing.elapsed() - start < minUnreadableMs) return
    await this.#record({ since, reason: problem.code })
  }

  async #record(failure: ReadFailure | null): Promise<void> {
    const { db, timing, onEvent } = this.#parts
    await recordReadability(db, { repoId: this.#repoId, failure }, describeNotice, new Date(timing.now()))
    this.#isUnreadable = failure !== null
    onEvent()
  }
}
