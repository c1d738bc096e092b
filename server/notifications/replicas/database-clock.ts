// The clock that all replicas of a service share.
import { type Database, readClock } from '@floe/storage/database'
import type { Timing } from '../../timing.ts'

/** Longest time without a look at the clock of the database, in milliseconds. */
const maxAgeMs = 1_000

/**
 * The clock of the database, so that processes whose own clocks differ agree on leases and on what is due. SQLite has none; there it is
 * the clock of the process.
 *
 * Between two looks at the database, the stopwatch of the process counts on. What a look returns was read between its begin and its end,
 * so the clock is wrong by at most the duration of the quickest look.
 */
export class DatabaseClock {
  readonly #db: Database
  readonly #timing: Pick<Timing, 'now' | 'elapsed'>
  /** Clock of the database minus stopwatch; undefined when the database has no clock. */
  #offsetMs: number | undefined
  /** When the database was last asked, by the stopwatch. */
  #lookedAt = Number.NEGATIVE_INFINITY

  private constructor(db: Database, timing: Pick<Timing, 'now' | 'elapsed'>) {
    this.#db = db
    this.#timing = timing
  }

  /** Opens the clock of a database. */
  static async open(db: Database, timing: Pick<Timing, 'now' | 'elapsed'>): Promise<DatabaseClock> {
    const clock = new DatabaseClock(db, timing)
    await clock.refresh()
    return clock
  }

  /** Returns milliseconds since 1970. Jumps when the clock of the database was set and `refresh` has noticed it. */
  readonly now = (): number =>
    this.#offsetMs === undefined ? this.#timing.now() : Math.floor(this.#timing.elapsed() + this.#offsetMs)

  /** Looks at the clock of the database, unless that was done within the last second. */
  readonly refresh = async (): Promise<void> => {
    const { elapsed } = this.#timing
    const before = elapsed()
    if (before - this.#lookedAt < maxAgeMs) return
    const read = await readClock(this.#db)
    const after = elapsed()
    this.#lookedAt = before
    if (read === undefined) return
    const [least, most] = [read - after, read - before]
    this.#offsetMs = Math.min(Math.max(this.#offsetMs ?? (least + most) / 2, least), most)
  }
}
