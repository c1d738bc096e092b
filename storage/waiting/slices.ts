// Divides long work on a shared thread into slices, so that the event loop can do other work in between.
import { setImmediate } from 'node:timers/promises'

/** Length of a slice, in milliseconds, without the work between two checks of the clock. */
const sliceMs = 5

/** A stretch of work that is interrupted after each slice. */
export class Slices {
  readonly #signal: AbortSignal | undefined
  readonly #now: () => number
  #end: number

  /**
   * @param signal ends the work; work that ends soon in any case needs none
   * @param now a clock in milliseconds
   */
  constructor(signal?: AbortSignal, now: () => number = () => performance.now()) {
    this.#signal = signal
    this.#now = now
    this.#end = now() + sliceMs
  }

  /** Whether the slice is over. If it is, wait for {@link Slices.next}. */
  get isOver(): boolean {
    return this.#now() >= this.#end
  }

  /**
   * Lets the event loop do other work, then begins the next slice. Throws the reason of the signal when it has aborted.
   */
  async next(): Promise<void> {
    await setImmediate()
    this.#signal?.throwIfAborted()
    this.#end = this.#now() + sliceMs
  }
}
