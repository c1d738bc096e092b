import type { Timing } from '../../timing.ts'

/** What is polled. */
export type Polled = { readonly beginPoll: () => void }

/**
 * Polls begin at multiples of this many milliseconds. Those that begin together share a timer, which takes less memory and processor time than
 * a timer for each.
 */
const tickMs = 100

type Tick = { readonly polled: Set<Polled>; readonly cancel: () => void }

/** Begins polls when they are due. */
export class PollSchedule {
  readonly #timing: Pick<Timing, 'elapsed' | 'after'>
  /** By the time when they are due. */
  readonly #ticks = new Map<number, Tick>()

  constructor(timing: Pick<Timing, 'elapsed' | 'after'>) {
    this.#timing = timing
  }

  /** Plans a poll at the first tick after the wait. Returns when that is, by the stopwatch. */
  plan(polled: Polled, waitMs: number): number {
    const now = this.#timing.elapsed()
    const dueAt = Math.ceil((now + waitMs) / tickMs) * tickMs
    const tick = this.#ticks.get(dueAt) ?? {
      polled: new Set(),
      cancel: this.#timing.after(dueAt - now, () => this.#begin(dueAt)),
    }
    this.#ticks.set(dueAt, tick)
    tick.polled.add(polled)
    return dueAt
  }

  cancel(polled: Polled, dueAt: number): void {
    const tick = this.#ticks.get(dueAt)
    if (!tick?.polled.delete(polled) || tick.polled.size > 0) return
    tick.cancel()
    this.#ticks.delete(dueAt)
  }

  #begin(dueAt: number): void {
    const { polled = [] } = this.#ticks.get(dueAt) ?? {}
    this.#ticks.delete(dueAt)
    for (const one of polled) one.beginPoll()
  }
}
