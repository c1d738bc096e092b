import { waitOrAbort } from './limit-time.ts'

/**
 * One read shared by any number of callers, each with its own signal. The read is aborted when all callers have left.
 */
class SharedRead<T> {
  /** Resolves when the read has ended, whether it succeeded or failed. Never rejects. */
  readonly ended: Promise<unknown>
  readonly #result: Promise<T>
  readonly #abort = new AbortController()
  #callers = 0
  #hasEnded = false

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#result = read(this.#abort.signal)
    const end = () => void (this.#hasEnded = true)
    this.ended = this.#result.then(end, end)
  }

  /** Whether the read was aborted, so that nobody can join it any more. */
  get isAborted(): boolean {
    return this.#abort.signal.aborted
  }

  /** Waits for the result until the signal of this caller aborts. */
  async join(signal: AbortSignal): Promise<T> {
    this.#callers++
    try {
      return await waitOrAbort(this.#result, signal)
    } finally {
      // An abort costs as much time as a `stat` of a local file, so a read that has ended is not aborted.
      if (--this.#callers === 0 && !this.#hasEnded) this.#abort.abort(signal.reason)
    }
  }
}

/** Lets callers that want the same thing at the same time share one read. */
export class SharedReads<T> {
  readonly #pending = new Map<string, SharedRead<T>>()

  /** Finds the read with a key that is under way. */
  find(key: string): SharedRead<T> | undefined {
    return this.#pending.get(key)
  }

  /** Finds the read with a key that is under way, or begins it. */
  share(key: string, read: (signal: AbortSignal) => Promise<T>): SharedRead<T> {
    const pending = this.#pending.get(key)
    if (pending !== undefined && !pending.isAborted) return pending
    const shared = new SharedRead(read)
    this.#pending.set(key, shared)
    void shared.ended.finally(() => {
      if (this.#pending.get(key) === shared) this.#pending.delete(key)
    })
    return shared
  }
}
