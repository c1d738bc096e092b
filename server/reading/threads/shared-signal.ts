import type { Cancellation } from '@floe/storage/json'

/** Work was cancelled, because all its callers have left. */
class WorkCancelledError extends Error {
  override name = 'WorkCancelledError'

  constructor() {
    super('All callers have left')
  }
}

const isAborted = 0
const isReading = 1

/**
 * A signal in memory that threads share. A thread can check it during a computation, when no event could reach it. The
 * thread notes there when it reads a file, because nobody can ask it meanwhile.
 */
export class SharedSignal implements Cancellation {
  /** Send this to a thread, and construct a signal from it there. */
  readonly memory: SharedArrayBuffer
  readonly #state: Int32Array

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#state = new Int32Array(memory)
  }

  /** Ends the work at its next check of the signal. */
  abort(): void {
    Atomics.store(this.#state, isAborted, 1)
  }

  /** @throws {@link WorkCancelledError} */
  throwIfAborted(): void {
    if (Atomics.load(this.#state, isAborted) === 1) throw new WorkCancelledError()
  }

  /** Whether the thread reads a file. */
  get isReading(): boolean {
    return Atomics.load(this.#state, isReading) === 1
  }

  set isReading(value: boolean) {
    Atomics.store(this.#state, isReading, Number(value))
  }
}
