import { type Database, readClock } from '@floe/storage/database'
import type { SharedTiming, Timing } from '../timing.ts'

/**
 * The clock of the database, by which processes with different clocks agree on times. SQLite has no clock; with it,
 * this is the clock of the process.
 *
 * Between two reads, a monotonic stopwatch extends the last read. A read returns a time between its start and its end,
 * so the error of this clock is at most the duration of the quickest read.
 */
export class DatabaseClock {
  readonly #db: Database
  readonly #processTiming: Timing
  /** Time of the database minus time of the stopwatch; undefined when the database has no clock. */
  #offsetMs: number | undefined
  /** The highest time of the clock minus time of the stopwatch, when the database has no clock. */
  #dueOffsetMs = -Infinity

  /** Call {@link refresh} before the clock is used. */
  constructor(db: Database, processTiming: Timing) {
    this.#db = db
    this.#processTiming = processTiming
  }

  /**
   * The timing of the process with this clock. The clock jumps when `refresh` notices that the clock of the database
   * was set.
   */
  get timing(): SharedTiming {
    return { ...this.#processTiming, now: this.#now, dueNow: this.#dueNow }
  }

  async refresh(): Promise<void> {
    const { elapsed } = this.#processTiming
    const before = elapsed()
    const read = await readClock(this.#db)
    if (read === undefined) return
    const [least, most] = [read - elapsed(), read - before]
    this.#offsetMs = Math.min(Math.max(this.#offsetMs ?? (least + most) / 2, least), most)
  }

  /**
   * Notes the time of another process, so that `dueNow` of processes that began before and after a step agree, except
   * for the age of the heartbeat that has the time.
   */
  follow(dueNow: number): void {
    this.#dueOffsetMs = Math.max(this.#dueOffsetMs, dueNow - this.#processTiming.elapsed())
  }

  readonly #now = (): number => {
    const { now, elapsed } = this.#processTiming
    return this.#offsetMs === undefined ? now() : Math.floor(elapsed() + this.#offsetMs)
  }

  readonly #dueNow = (): number => {
    const now = this.#now()
    if (this.#offsetMs !== undefined) return now
    this.follow(now)
    return Math.floor(this.#processTiming.elapsed() + this.#dueOffsetMs)
  }
}
