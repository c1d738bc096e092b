import type { Cancellation } from '@floe/storage/json'

/** Work was cancelled, because its last caller has left. */
class WorkCancelledError extends Error {
  override name = 'WorkCancelledError'

  constructor() {
    super('The last caller has left')
  }
}

/** A signal in memory that threads share. A thread sees it in the middle of a computation, when no event could reach it. */
export class SharedSignal implements Cancellation {
  /** Send this to a thread, and make a signal of it there. */
  readonly memory: SharedArrayBuffer
  readonly #state: Int32Array

  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#state = new Int32Array(memory)
  }

  /** Lets the work end when it looks at the signal next. */
  abort(): void {
    Atomics.store(this.#state, 0, 1)
  }

  /** @throws {@link WorkCancelledError} */
  throwIfAborted(): void {
    if (Atomics.load(this.#state, 0) === 1) throw new WorkCancelledError()
  }
}
