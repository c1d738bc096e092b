// Decides when the checks of repositories begin: polls when they are due, all checks when there is a slot for them.
import { FairQueue } from '@floe/storage/waiting'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import type { Timing } from '../../timing.ts'

/** A repository that waits for a check. */
export type Polled = {
  readonly entry: Pick<CatalogEntry, 'org' | 'location'>
  readonly isFailing: boolean
  /** Whether a check waits for a slot. Only the queue changes it. */
  isQueued: boolean
  /** Does not throw. */
  readonly runCheck: () => Promise<void>
}

/**
 * Due times are rounded up to multiples of this many milliseconds, so that polls share timers. A timer for each would
 * take more memory.
 */
const tickMs = 100

/** The same for polls that are due in a minute or later. */
const longTickMs = 1_000
const longWaitMs = 60_000

/**
 * Maximum number of concurrent checks below one location, such as a scanned one. A location that hangs does not delay
 * others.
 */
const maxPerLocation = 16

/**
 * Maximum number of concurrent checks of repositories whose last check succeeded, and of those whose last check failed.
 */
const maxSteady = 64
const maxFailing = 16

/** Number of checks that are taken from the front before they are removed from the array. */
const compactAt = 1_000

/**
 * The checks that wait below one location of an organisation. They are not promises, because there can be a hundred
 * thousand.
 */
class LocationChecks {
  readonly #org: string
  readonly #slots: FairQueue
  readonly #onIdle: () => void
  #waiting: Polled[] = []
  #taken = 0
  #running = 0

  constructor(org: string, slots: FairQueue, onIdle: () => void) {
    this.#org = org
    this.#slots = slots
    this.#onIdle = onIdle
  }

  add(polled: Polled): void {
    this.#waiting.push(polled)
    if (this.#running < maxPerLocation) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running++
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const polled = next
      await this.#slots.run(this.#org, () => {
        polled.isQueued = false
        return polled.runCheck()
      })
    }
    this.#running--
    if (this.#running === 0) this.#onIdle()
  }

  #take(): Polled | undefined {
    const next = this.#waiting[this.#taken++]
    if (next === undefined || this.#taken === compactAt) {
      this.#waiting.splice(0, this.#taken)
      this.#taken = 0
    }
    return next
  }
}

type Tick = { readonly polls: Set<Polled>; cancel: () => void }

/**
 * The polls of a process. Organisations take turns; one of them has at most half of the slots that the others leave.
 */
export class PollQueue {
  readonly #timing: Pick<Timing, 'elapsed' | 'after'>
  /** By the time when they are due. */
  readonly #ticks = new Map<number, Tick>()
  readonly #steady = new FairQueue(maxSteady)
  readonly #failing = new FairQueue(maxFailing)
  /** The locations that have checks. */
  readonly #locations = new Map<string, LocationChecks>()

  constructor(timing: Pick<Timing, 'elapsed' | 'after'>) {
    this.#timing = timing
  }

  /** Checks a repository as soon as it has a slot, unless it waits for one already. */
  add(polled: Polled): void {
    if (polled.isQueued) return
    polled.isQueued = true
    this.#open(polled).add(polled)
  }

  /** Finds where a repository waits: with those of its organisation that lie below the same location. */
  #open({ entry: { org, location }, isFailing }: Polled): LocationChecks {
    // `s3://data/acme/weather` lies in `s3://data/acme`; `s3://data` and `/weather` have no parent.
    const key = JSON.stringify([org, location.replace(/(?<=[^/])\/[^/]+\/?$/, ''), isFailing])
    const slots = isFailing ? this.#failing : this.#steady
    const checks = this.#locations.get(key) ?? new LocationChecks(org, slots, () => this.#locations.delete(key))
    this.#locations.set(key, checks)
    return checks
  }

  /** Plans a poll at the first tick after the wait. Returns when that is, by the stopwatch. */
  plan(polled: Polled, waitMs: number): number {
    const multiple = waitMs < longWaitMs ? tickMs : longTickMs
    const dueAt = Math.ceil((this.#timing.elapsed() + waitMs) / multiple) * multiple
    const tick = this.#ticks.get(dueAt)
    if (tick !== undefined) tick.polls.add(polled)
    else this.#ticks.set(dueAt, { polls: new Set([polled]), cancel: this.#wait(dueAt) })
    return dueAt
  }

  /** Cancels a planned poll. */
  cancel(polled: Polled, dueAt: number): void {
    const tick = this.#ticks.get(dueAt)
    if (!tick?.polls.delete(polled) || tick.polls.size > 0) return
    tick.cancel()
    this.#ticks.delete(dueAt)
  }

  #wait(dueAt: number): () => void {
    return this.#timing.after(dueAt - this.#timing.elapsed(), () => this.#addDue(dueAt))
  }

  #addDue(dueAt: number): void {
    const tick = this.#ticks.get(dueAt)
    if (tick === undefined) return
    // Timers of Node.js can fire a millisecond early. A repository would ignore a poll that is not due, as if a check
    // had replaced it.
    if (this.#timing.elapsed() < dueAt) {
      tick.cancel = this.#wait(dueAt)
      return
    }
    this.#ticks.delete(dueAt)
    for (const polled of tick.polls) this.add(polled)
  }
}
