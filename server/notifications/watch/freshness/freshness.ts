import { type Database, listExpectations, recordFreshness } from '@floe/storage/database'
import type { CatalogEntry } from '../../../catalog/catalog-entry.ts'
import type { CheckParts } from '../check-parts.ts'
import { describeFreshness } from './describe-freshness.ts'
import { findLastChanges } from './find-last-changes.ts'

type FreshnessParts = Pick<CheckParts, 'readers' | 'timing'> & {
  readonly db: Database
  /** Called when an event was recorded. */
  readonly onEvent: () => void
}

/** A successful check of a repository. */
type Check = {
  /** The expectations that are wanted now; see `WantedSelection`. */
  readonly expectations: string
  /** Version of the repository; see `CheckedHead`. */
  readonly version: string | undefined
  /** When it began, by the clock of the database. */
  readonly startedAt: number
  readonly signal: AbortSignal
}

/** What the last judgement was about, and when the next is due in any case. */
type Judgement = Pick<Check, 'expectations' | 'version'> & { readonly nextDueAt: number | undefined }

/**
 * Records when the branches of a repository become stale or fresh, each with one event. Judges only after a successful
 * check, so that a repository that cannot be read does not become stale, and a service that was down first learns what
 * was committed meanwhile.
 */
export class Freshness {
  readonly #parts: FreshnessParts
  readonly #entry: CatalogEntry
  #last: Judgement | undefined

  constructor(parts: FreshnessParts, entry: CatalogEntry) {
    this.#parts = parts
    this.#entry = entry
  }

  /** When the next branch becomes stale, in milliseconds since 1970; undefined if that is not known. */
  get nextDueAt(): number | undefined {
    return this.#last?.nextDueAt
  }

  /** Call this when another process may poll the repository. */
  forget(): void {
    this.#last = undefined
  }

  /** Judges the expectations after a check if something has changed since the last time, or one of them is due. */
  async noteCheck(check: Check): Promise<void> {
    const { expectations, version, startedAt } = check
    const last = this.#last
    if (expectations === '') {
      this.#last = undefined
      return
    }
    const isSame = last?.expectations === expectations && version !== undefined && last.version === version
    if (isSame && (last.nextDueAt === undefined || startedAt < last.nextDueAt)) return
    this.#last = undefined
    const nextDueAt = await this.#judge(check)
    if (nextDueAt !== 'unknown') this.#last = { expectations, version, nextDueAt }
  }

  /** Returns when the next judgement is due; `unknown` when a part of the repository could not be read. */
  async #judge({ startedAt, signal }: Check): Promise<number | undefined | 'unknown'> {
    const { db, timing, onEvent } = this.#parts
    const repository = { id: this.#entry.id, org: this.#entry.org, name: this.#entry.name }
    const known = await listExpectations(db, repository)
    const { found, isComplete } = await findLastChanges(this.#parts, this.#entry, known, signal)
    const judged = { repository, checkedAt: new Date(startedAt), found }
    const { hasEvents, nextDueAt } = await recordFreshness(db, judged, describeFreshness, new Date(timing.now()))
    if (hasEvents) onEvent()
    return isComplete ? nextDueAt?.getTime() : 'unknown'
  }
}
