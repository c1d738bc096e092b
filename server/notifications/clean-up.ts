// Deletes old records, in steps so small that other work does not have to wait long.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, deleteExpired } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

const dayMs = 86_400_000
const attemptsKeptMs = 30 * dayMs
const eventsKeptMs = 90 * dayMs
const auditKeptMs = 365 * dayMs
const endedKeysKeptMs = 90 * dayMs

/** Time between two clean-ups, in milliseconds. */
const intervalMs = 3_600_000

/** Rows deleted in one step, besides the rows that belong to them: with an event, all its deliveries are deleted. */
const stepRows = 100

/** Cleans up at the start and then every hour, until it is stopped. */
export class CleanUp {
  readonly #db: Database
  readonly #timing: Timing
  readonly #onError: (error: unknown) => void
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #cancelNext: () => void = () => {}

  /** @param onError called with a failure; the next clean-up runs anyway */
  constructor(db: Database, timing: Timing, onError: (error: unknown) => void) {
    this.#db = db
    this.#timing = timing
    this.#onError = onError
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Resolves when the step under way has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelNext()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    try {
      let deleted = stepRows
      while (deleted > 0 && !signal.aborted) {
        deleted = await this.#deleteStep()
        // A database in memory works synchronously, so without this pause many small steps would block the process like a large one.
        await nextTurn()
      }
    } catch (error) {
      this.#onError(error)
    }
    if (!signal.aborted) this.#cancelNext = this.#timing.after(intervalMs, () => this.start())
  }

  #deleteStep(): Promise<number> {
    const now = this.#timing.now()
    return deleteExpired(this.#db, {
      attemptsBefore: new Date(now - attemptsKeptMs),
      eventsBefore: new Date(now - eventsKeptMs),
      auditBefore: new Date(now - auditKeptMs),
      keysBefore: new Date(now - endedKeysKeptMs),
      limit: stepRows,
    })
  }
}
