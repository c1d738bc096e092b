import { type Database, readClock } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

/**
 * The clock of the database, so that processes whose own clocks differ agree on leases and on what is due. SQLite has none; there it is
 * the clock of the process.
 *
 * Between two reads, the stopwatch of the process counts on. What a read returns was true at some moment between its begin and its end,
 * so the clock is wrong by at most the duration of the quickest read.
 */
export class DatabaseClock {
  readonly #db: Database
  readonly #processTiming: Timing
  /** Clock of the database minus stopwatch; undefined when the database has no clock. */
  #offsetMs: number | undefined

  /** Call {@link refresh} before the clock is used. */
  constructor(db: Database, processTiming: Timing) {
    this.#db = db
    this.#processTiming = processTiming
  }

  /** The timing of the process with this clock. The clock jumps when the clock of the database was set and `refresh` has noticed it. */
  get timing(): Timing {
    return { ...this.#processTiming, now: this.#now }
  }

  async refresh(): Promise<void> {
    const { elapsed } = this.#processTiming
    const before = elapsed()
    const read = await readClock(this.#db)
    if (read === undefined) return
    const [least, most] = [read - elapsed(), read - before]
    this.#offsetMs = Math.min(Math.max(this.#offsetMs ?? (least + most) / 2, least), most)
  }

  readonly #now = (): number => {
    const { now, elapsed } = this.#processTiming
    return this.#offsetMs === undefined ? now() : Math.floor(elapsed() + this.#offsetMs)
  }
}
