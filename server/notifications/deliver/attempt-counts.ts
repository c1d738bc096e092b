import type { FinishedAttempt } from '@floe/storage/database'
import { Durations } from '../../observation/durations.ts'
import { Labelled } from '../../observation/labelled.ts'

/** The attempts of a process since its start. */
export class AttemptCounts {
  /** By kind of receiver, class of the answer (`2xx` and so on, `none` without one), and what followed. */
  readonly ended = new Labelled(() => ({ count: 0 }))
  readonly durations = new Durations()
  /** Attempts that were not recorded, because their lease was lost or their delivery deleted. Another process repeats the former. */
  lost = 0

  /** Counts attempts that have ended. */
  note(ended: readonly FinishedAttempt[], lost: readonly FinishedAttempt[]): void {
    for (const { claim, outcome, next } of ended) {
      this.ended.find(claim.receiver.kind, classify(outcome.status), next.kind).count += 1
      this.durations.note(outcome.durationMs)
    }
    this.lost += lost.length
  }
}

function classify(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`
}
