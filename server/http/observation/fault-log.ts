import { explainUnavailable } from '@floe/storage/database'
import { ObjectStoreError } from '@floe/storage/objects'
import type { Stopwatch } from '../../timing.ts'

type WriteLine = (facts: object, message: string) => void

/** After this many milliseconds without a failure, an answer of the database ends an outage. Shorter gaps belong to it. */
const settledMs = 10_000

/** Explains an error of a database that is away; undefined for other errors. Object stores fail with the same codes. */
export function explainOutage(error: unknown): string | undefined {
  return error instanceof ObjectStoreError ? undefined : explainUnavailable(error)
}

/**
 * Writes failures of the service to the log. While the database is away, everything that needs it fails: that is one line with the cause,
 * and one when the database is back.
 */
export class FaultLog {
  readonly #elapsed: Stopwatch
  readonly #log: { readonly error: WriteLine; readonly warn: WriteLine }
  #outage: { readonly since: number; lastFailure: number; failures: number } | undefined

  constructor(elapsed: Stopwatch, log: { readonly error: WriteLine; readonly warn: WriteLine }) {
    this.#elapsed = elapsed
    this.#log = log
  }

  /** @param message what failed; the line about the database does not say it */
  note(err: unknown, message: string, facts: object = {}): void {
    const reason = explainOutage(err)
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

  /** Notes that the database has answered. Call it again and again. */
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
