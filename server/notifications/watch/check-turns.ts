import { FairTurns } from '@floe/storage/waiting'

/** A scheduled check that waits for its turn. It does not throw. */
type ScheduledCheck = { readonly runTurn: () => Promise<void> }

/** Scheduled checks that run at the same time below one location, such as a scanned one. One that hangs does not delay other locations. */
const maxChecks = 16

/**
 * Scheduled checks that run at the same time in this process: of repositories whose last check succeeded, and of those that keep failing.
 * Organisations take turns; one of them has at most half of what the others leave.
 */
const maxSteadyChecks = 64
const maxFailingChecks = 16

/** Checks that are taken from the front of a queue before its array is made shorter. */
const compactAt = 1_000

/** Where the checks of repositories wait for their turns. Repositories of an organisation below one location share both queues. */
export type CheckPlace = { readonly steady: CheckQueue; readonly failing: CheckQueue }

/** The waiting checks are not promises, because there can be a hundred thousand. */
class CheckQueue {
  readonly #org: string
  readonly #turns: FairTurns
  #waiting: ScheduledCheck[] = []
  #taken = 0
  #running = 0

  constructor(org: string, turns: FairTurns) {
    this.#org = org
    this.#turns = turns
  }

  add(check: ScheduledCheck): void {
    this.#waiting.push(check)
    if (this.#running < maxChecks) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running++
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const check = next
      await this.#turns.run(this.#org, () => check.runTurn())
    }
    this.#running--
  }

  #take(): ScheduledCheck | undefined {
    const next = this.#waiting[this.#taken++]
    if (next === undefined || this.#taken === compactAt) {
      this.#waiting.splice(0, this.#taken)
      this.#taken = 0
    }
    return next
  }
}

/** Decides when the scheduled checks of a process run. */
export class CheckTurns {
  readonly #steady = new FairTurns(maxSteadyChecks)
  readonly #failing = new FairTurns(maxFailingChecks)
  readonly #places = new Map<string, CheckPlace>()

  findPlace(org: string, location: string): CheckPlace {
    // `s3://data/acme/weather` lies in `s3://data/acme`; `s3://data` and `/weather` have no parent.
    const key = JSON.stringify([org, location.replace(/(?<=[^/])\/[^/]+\/?$/, '')])
    const place = this.#places.get(key) ?? {
      steady: new CheckQueue(org, this.#steady),
      failing: new CheckQueue(org, this.#failing),
    }
    this.#places.set(key, place)
    return place
  }
}
