import { waitOrAbort } from '../../objects/index.ts'

/** One read shared by any number of callers, each with its own signal. The read is aborted when all callers have left. */
export class SharedRead<T> {
  /** Resolves when the read has ended, whether it succeeded or failed. Never rejects. */
  readonly ended: Promise<unknown>
  readonly #result: Promise<T>
  readonly #abort = new AbortController()
  #callers = 0

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#result = read(this.#abort.signal)
    this.ended = this.#result.then(ignore, ignore)
  }

  /** Whether the read was aborted. Then it can no longer be joined. */
  get isAbandoned(): boolean {
    return this.#abort.signal.aborted
  }

  /** Waits for the result. Throws the reason of `signal` if that aborts first. */
  async join(signal: AbortSignal): Promise<T> {
    this.#callers++
    try {
      return await waitOrAbort(this.#result, signal)
    } finally {
      // This has no effect when the read has already ended.
      if (--this.#callers === 0) this.#abort.abort(signal.reason)
    }
  }
}

function ignore(): void {}
