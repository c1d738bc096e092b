import { untilAborted } from '../objects/index.ts'

/** One read for any number of callers, each with a signal of its own; it is aborted when the last of them has left. */
export class SharedRead<T> {
  /** Never rejects: resolves when the read has ended, however. */
  readonly ended: Promise<unknown>
  readonly #result: Promise<T>
  readonly #abort = new AbortController()
  #callers = 0

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#result = read(this.#abort.signal)
    this.ended = this.#result.then(ignore, ignore)
  }

  /** Whether it was aborted, so that nobody can join it any more. */
  get isAbandoned(): boolean {
    return this.#abort.signal.aborted
  }

  /** The result, or the reason of `signal` when that comes first. */
  async join(signal: AbortSignal): Promise<T> {
    this.#callers++
    try {
      return await untilAborted(this.#result, signal)
    } finally {
      // After the end this does nothing.
      if (--this.#callers === 0) this.#abort.abort(signal.reason)
    }
  }
}

function ignore(): void {}
