import type { Database } from '@floe/storage/database'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { CheckParts } from './checks/check-parts.ts'

export type JudgeParts = Pick<CheckParts, 'readers' | 'timing'> & {
  readonly db: Database
  /** Called when an event was recorded. */
  readonly onEvent: () => void
}

/** What is judged: a repository after a check that has succeeded. */
type JudgedCheck = {
  readonly entry: CatalogEntry
  /** When the check began, by the clock of the database. */
  readonly startedAt: number
  readonly signal: AbortSignal
}

/** The result of a judgement. */
type Judged = {
  /** Whether all that was to be judged could be read. If not, the next check judges again. */
  readonly isComplete: boolean
  /** When it must be judged again in any case, in milliseconds since 1970; undefined if that is not known. */
  readonly nextDueAt: number | undefined
}

/** Judges one kind of what is expected of a repository, and records each change of state with one event. */
export type Judge = (parts: JudgeParts, check: JudgedCheck) => Promise<Judged>
