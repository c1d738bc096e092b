// Long work on a thread that also answers others is done in slices: between two of them, the event loop answers what waits.
import { setImmediate } from 'node:timers/promises'

/** Longest slice in milliseconds, apart from the work between two looks at the clock. */
const sliceMs = 5

export class Slices {
  readonly #signal: AbortSignal
  readonly #now: () => number
  #end: number

  /** `now` is a clock in milliseconds. */
  constructor(signal: AbortSignal, now: () => number = () => performance.now()) {
    this.#signal = signal
    this.#now = now
    this.#end = now() + sliceMs
  }

  /** Whether the slice has lasted long enough. Then wait for {@link Slices.next}. */
  get isOver(): boolean {
    return this.#now() >= this.#end
  }

  /** Lets the event loop do other work, then begins the next slice. Throws the reason of the signal when it has aborted. */
  async next(): Promise<void> {
    await setImmediate()
    this.#signal.throwIfAborted()
    this.#end = this.#now() + sliceMs
  }
}
