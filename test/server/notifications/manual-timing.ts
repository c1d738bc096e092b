import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SharedTiming } from '../../../server/timing.ts'

type Timer = { readonly at: number; readonly callback: () => void }

/** Time that passes only when a test says so, and random numbers that are always the same. */
export class ManualTiming implements SharedTiming {
  #time = Date.UTC(2026, 10, 21)
  readonly #timers = new Set<Timer>()

  /** How far the clock of the system is set forward, in milliseconds. */
  #setForwardMs = 0

  readonly now = (): number => this.#time + this.#setForwardMs

  /** Goes on as the stopwatch does. */
  readonly dueNow = (): number => this.#time

  readonly elapsed = (): number => this.#time

  readonly random = (): number => 0.5

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#time + ms, callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Sets the clock of the system forward, or back if `ms` is negative. No time passes. */
  setClock(ms: number): void {
    this.#setForwardMs += ms
  }

  /** Lets time pass in steps, and after each all that follows from it without waiting for the disk. */
  async pass(ms: number, stepMs = 100): Promise<void> {
    for (const end = this.#time + ms; this.#time < end;) {
      this.#time = Math.min(end, this.#time + stepMs)
      for (const timer of [...this.#timers].filter(({ at }) => at <= this.#time)) {
        if (this.#timers.delete(timer)) timer.callback()
      }
      for (let turn = 0; turn < 8; turn++) await nextTurn()
    }
  }
}
