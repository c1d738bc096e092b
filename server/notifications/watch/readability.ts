import { type Database, recordReadable, recordUnreadable } from '@floe/storage/database'
import { toReadingProblem } from '../../http/problems/reading-problem.ts'
import { describeNotice } from '../describe-notice.ts'
import type { Timing } from '../../timing.ts'
import type { HeadRecords } from './head-records.ts'

/** A repository counts as unreadable after this many failed checks in a row, over at least this many milliseconds. */
const minLooks = 3
const minUnreadableMs = 60_000

type ReadabilityParts = {
  readonly db: Database
  readonly heads: Pick<HeadRecords, 'isUnreadable'>
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  /** Called when a notice may have been recorded. */
  readonly onEvent: () => void
}

/** Failed checks in a row. `start` is the time of the first by the stopwatch. */
type Failures = { readonly since: Date; readonly start: number; looks: number }

/** Records when a repository becomes unreadable, and when it can be read again, each with one notice. For the process that polls it. */
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
    const { db, heads, timing, onEvent } = this.#parts
    this.#failures = undefined
    this.#isUnreadable ??= await heads.isUnreadable(this.#repoId)
    if (!this.#isUnreadable) return
    await recordReadable(db, this.#repoId, describeNotice, new Date(timing.now()))
    this.#isUnreadable = false
    onEvent()
  }

  /** Notes a check that failed. Failures of the service itself, such as of its database, do not count. */
  async noteFailure(error: unknown): Promise<void> {
    const { db, timing, onEvent } = this.#parts
    const problem = toReadingProblem(error)
    if (problem === undefined || this.#isUnreadable === true) return
    const now = new Date(timing.now())
    this.#failures ??= { since: now, start: timing.elapsed(), looks: 0 }
    this.#failures.looks++
    const { since, start, looks } = this.#failures
    if (looks < minLooks || timing.elapsed() - start < minUnreadableMs) return
    await recordUnreadable(db, { repoId: this.#repoId, since, reason: problem.code }, describeNotice, now)
    this.#isUnreadable = true
    onEvent()
  }
}
