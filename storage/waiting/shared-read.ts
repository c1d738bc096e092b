import { waitOrAbort } from './limit-time.ts'

/** One read shared by any number of callers, each with its own signal. The read is aborted when all callers have left. */
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

  /** Whether the read was aborted, so that it can no longer be joined. */
  get isAbandoned(): boolean {
    return this.#abort.signal.aborted
  }

  async join(signal: AbortSignal): Promise<T> {
    this.#callers++
    try {
      return await waitOrAbort(this.#result, signal)
    } finally {
      // An abort costs as much as a `stat` of a local file, so do not abort a read that has ended.
      if (--this.#callers === 0 && !this.#hasEnded) this.#abort.abort(signal.reason)
    }
  }
}

export class SharedReads<T> {
  readonly #pending = new Map<string, SharedRead<T>>()

  find(key: string): SharedRead<T> | undefined {
    return this.#pending.get(key)
  }

  share(key: string, read: (signal: AbortSignal) => Promise<T>): SharedRead<T> {
    const pending = this.#pending.get(key)
    if (pending !== undefined && !pending.isAbandoned) return pending
    const begun = new SharedRead(read)
    this.#pending.set(key, begun)
    void begun.ended.finally(() => {
      if (this.#pending.get(key) === begun) this.#pending.delete(key)
    })
    return begun
  }
}
