import type { Cancellation } from '@floe/storage/json'

/** Work was cancelled, because all its callers have left. */
class WorkCancelledError extends Error {
  override name = 'WorkCancelledError'

  constructor() {
    super('All callers have left')
  }
}

/**
 * A signal in memory that threads share. A thread can check it during a computation, when no event could reach it.
 */
export class SharedSignal implements Cancellation {
  /** Send this to a thread, and construct a signal from it there. */
  readonly memory: SharedArrayBuffer
  readonly #state: Int32Array

  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#state = new Int32Array(memory)
  }

  /** Ends the work at its next check of the signal. */
  abort(): void {
    Atomics.store(this.#state, 0, 1)
  }

  /** @throws {@link WorkCancelledError} */
  throwIfAborted(): void {
    if (Atomics.load(this.#state, 0) === 1) throw new WorkCancelledError()
  }
}
