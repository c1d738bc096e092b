import { setImmediate } from 'node:timers/promises'

export type BackgroundLoopOptions = {
  /**
   * One pass. Returns how long to rest before the next pass, in milliseconds: `Infinity` to rest until
   * {@link BackgroundLoop.wake}, undefined for `restMs`. The signal aborts when the loop stops.
   */
  readonly work: (signal: AbortSignal) => Promise<number | undefined>
  /** Rest between two passes, and after a failed one, in milliseconds. */
  readonly restMs: number
  /** Calls back once after `ms` milliseconds, unless the returned function cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void
  /** Called when a pass fails, with the number of passes in a row that have failed. The loop goes on. */
  readonly onError: (error: unknown, failures: number) => void
}

/** Repeats work in the background, one pass at a time, from `start` to `stop`. */
export class BackgroundLoop {
  readonly #options: BackgroundLoopOptions
  readonly #stopping = new AbortController()
  #isAwake = false
  #endRest: () => void = () => {}
  #failures = 0
  #running: Promise<void> | undefined
  /** Resolves when the next pass has ended. */
  #next = Promise.withResolvers<void>()

  constructor(options: BackgroundLoopOptions) {
    this.#options = options
  }

  /** Begins the first pass at once; resolves when it has ended. */
  start(): Promise<void> {
    const first = this.#next.promise
    this.#running ??= this.#run()
    return first
  }

  /** Begins the next pass now, or as soon as the current one has ended. */
  wake(): void {
    this.#isAwake = true
    this.#endRest()
  }

  /**
   * Wakes the loop; resolves when a pass that began after this call has ended, and at once if the loop is not running.
   */
  async runAgain(): Promise<void> {
    if (this.#running === undefined) return
    this.wake()
    await this.#next.promise
  }

  /** Aborts the signal of the current pass and begins no other; resolves when the pass has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#endRest()
    await this.#running
    this.#next.resolve()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      this.#isAwake = false
      const { resolve } = this.#next
      this.#next = Promise.withResolvers()
      const restMs = await this.#pass(signal)
      resolve()
      if (!signal.aborted) await this.#rest(restMs)
      // Calls of `wake` in the same iteration of the event loop share a pass, and a loop that never rests lets other
      // work run.
      await setImmediate()
    }
  }

  async #pass(signal: AbortSignal): Promise<number> {
    const { work, restMs, onError } = this.#options
    try {
      const chosenMs = await work(signal)
      this.#failures = 0
      return chosenMs ?? restMs
    } catch (error) {
      this.#failures += 1
      // A pass that was aborted may fail because of that.
      if (!signal.aborted) onError(error, this.#failures)
      return restMs
    }
  }

  async #rest(restMs: number): Promise<void> {
    if (this.#isAwake || restMs <= 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#endRest = resolve
    const cancel = restMs === Infinity ? () => {} : this.#options.after(restMs, resolve)
    await promise
    cancel()
  }
}
