import type { Timing } from '../../timing.ts'

/** What is polled. */
export type Polled = { readonly beginPoll: () => void }

/**
 * Polls begin at multiples of this many milliseconds: those after a long wait at multiples of the second number. Those that begin together
 * share a timer, which takes less memory and processor time than a timer for each.
 */
const [tickMs, longTickMs] = [100, 1_000]

/** A wait of this many milliseconds is long. */
const longWaitMs = 60_000

type Tick = { readonly polled: Set<Polled>; cancel: () => void }

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
    const multiple = waitMs < longWaitMs ? tickMs : longTickMs
    const dueAt = Math.ceil((this.#timing.elapsed() + waitMs) / multiple) * multiple
    const tick = this.#ticks.get(dueAt)
    if (tick !== undefined) tick.polled.add(polled)
    else this.#ticks.set(dueAt, { polled: new Set([polled]), cancel: this.#wait(dueAt) })
    return dueAt
  }

  cancel(polled: Polled, dueAt: number): void {
    const tick = this.#ticks.get(dueAt)
    if (!tick?.polled.delete(polled) || tick.polled.size > 0) return
    tick.cancel()
    this.#ticks.delete(dueAt)
  }

  #wait(dueAt: number): () => void {
    return this.#timing.after(dueAt - this.#timing.elapsed(), () => this.#begin(dueAt))
  }

  #begin(dueAt: number): void {
    const tick = this.#ticks.get(dueAt)
    if (tick === undefined) return
    // Timers of Node.js can fire a millisecond early. A poll that is not due would be taken for one that a check has replaced.
    if (this.#timing.elapsed() < dueAt) {
      tick.cancel = this.#wait(dueAt)
      return
    }
    this.#ticks.delete(dueAt)
    for (const one of tick.polled) one.beginPoll()
  }
}
