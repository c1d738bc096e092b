import { explainUnavailable } from '@floe/storage/database'
import type { Stopwatch } from '../timing.ts'

type WriteLine = (facts: object, message: string) => void

/** An outage of the database ends with the first answer after this many milliseconds without a failure. */
const settledMs = 10_000

/**
 * Logs failures of the service. While the database is unavailable, everything that needs it fails; this logs one line
 * with the cause at the beginning of the outage, and one line at its end.
 */
export class FaultLog {
  readonly #elapsed: Stopwatch
  readonly #log: { readonly error: WriteLine; readonly warn: WriteLine }
  #outage: { readonly since: number; lastFailure: number; failures: number } | undefined

  constructor(elapsed: Stopwatch, log: { readonly error: WriteLine; readonly warn: WriteLine }) {
    this.#elapsed = elapsed
    this.#log = log
  }

  /** @param message what failed; not in the line about an outage */
  note(err: unknown, message: string, facts: object = {}): void {
    const reason = explainUnavailable(err)
    if (reason === undefined) {
      this.#log.error({ err, ...facts }, message)
      return
    }
    const now = this.#elapsed()
    if (this.#outage === undefined) this.#log.error({ err, reason }, 'the database cannot be used')
    this.#outage ??= { since: now, lastFailure: now, failures: 0 }
    this.#outage.lastFailure = now
    this.#outage.failures++
  }

  /** Notes that the database has answered. Must be called regularly, because it ends an outage. */
  noteAnswer(): void {
    if (this.#outage === undefined) return
    const { since, lastFailure, failures } = this.#outage
    const now = this.#elapsed()
    if (now - lastFailure < settledMs) return
    const seconds = Math.round((lastFailure - since) / 1_000)
    this.#log.warn({ failures, seconds }, 'the database can be used again')
    this.#outage = undefined
  }
}
