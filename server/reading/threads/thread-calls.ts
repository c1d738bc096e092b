// Calls of a function in another thread, one at a time.
import { type MessagePort, parentPort, Worker, type WorkerOptions } from 'node:worker_threads'

/** What a thread sends back: that its program is loaded, then an answer to each call. */
type Return = { readonly isLoaded: true } | { readonly value: unknown } | { readonly error: unknown }

/** A thread that answers calls. It starts with the first call, and the call after its end starts another. */
export class CalledThread<Task> {
  readonly #program: URL
  readonly #options: WorkerOptions
  #worker: Worker | undefined
  /** Settles when the program is loaded, or the thread ends before. */
  #loading = Promise.withResolvers<void>()
  #isLoaded = false
  #call: PromiseWithResolvers<unknown> | undefined
  #isClosed = false

  /** @param program a file that calls {@link answerCalls} */
  constructor(program: URL, options: WorkerOptions) {
    this.#program = program
    this.#options = options
  }

  /** Whether a call need not wait for the program. */
  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /**
   * Starts the thread if it does not run, and waits until its program is loaded.
   *
   * @param signal ends the thread
   * @throws the reason of the signal, and why the thread has ended
   */
  async load(signal: AbortSignal): Promise<void> {
    const worker = this.start()
    await this.#wait(worker, this.#loading.promise, signal)
  }

  /**
   * Calls the thread, which must be idle. The program determines the type of the answer.
   *
   * @param transferList memory of the task that is handed over
   * @param signal ends the thread
   * @throws the error that the program threw, without its class; the reason of the signal; `ERR_WORKER_OUT_OF_MEMORY`
   */
  async call(task: Task, transferList: readonly ArrayBuffer[], signal: AbortSignal): Promise<unknown> {
    const worker = this.start()
    this.#call = Promise.withResolvers<unknown>()
    try {
      worker.postMessage(task, transferList)
      return await this.#wait(worker, this.#call.promise, signal)
    } finally {
      this.#call = undefined
    }
  }

  /** Waits for a thread, which keeps the process running only meanwhile. */
  async #wait<Result>(worker: Worker, result: Promise<Result>, signal: AbortSignal): Promise<Result> {
    const end = () => void this.#end(worker, signal.reason)
    signal.addEventListener('abort', end)
    worker.ref()
    try {
      return await result
    } finally {
      signal.removeEventListener('abort', end)
      if (this.#worker === worker) worker.unref()
    }
  }

  /** Ends the thread. The current call fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#worker) await this.#end(this.#worker, new Error('the thread was closed'))
  }

  /** Starts the thread if it does not run, so that the first call need not wait for its modules. */
  start(): Worker {
    if (this.#isClosed) throw new Error('the thread was closed')
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(this.#program, this.#options)
    this.#worker = worker
    this.#loading = Promise.withResolvers<void>()
    // A thread that nobody waits for may end while it loads.
    this.#loading.promise.catch(() => {})
    worker.unref()
    worker.on('message', (answer: Return) => {
      // An answer may arrive after the end of its thread, when the current call belongs to the next thread.
      if (this.#worker !== worker) return
      if ('isLoaded' in answer) this.#noteLoaded()
      else if ('error' in answer) this.#call?.reject(answer.error)
      else this.#call?.resolve(answer.value)
    })
    worker.on('error', (error) => void this.#end(worker, error))
    worker.on('exit', (code) => void this.#end(worker, new Error(`the thread has ended with ${code}`)))
    return worker
  }

  #noteLoaded(): void {
    this.#isLoaded = true
    this.#loading.resolve()
  }

  /** Fails the current call with `error`. The next call starts another thread. */
  async #end(worker: Worker, error: unknown): Promise<void> {
    // Otherwise this end is already handled, and the current call may belong to the next thread.
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#isLoaded = false
    this.#loading.reject(error)
    this.#call?.reject(error)
    worker.ref()
    await worker.terminate()
  }
}

/**
 * Answers the calls of the main thread with what a function returns. If that is bytes, their memory is handed over, so
 * nothing else may use it. Call this when everything else is loaded.
 */
// The type parameter lets programs name the task, which the starter of the thread sends.
// eslint-disable-next-line typescript/no-unnecessary-type-parameters
export function answerCalls<Task>(answer: (task: Task) => unknown): void {
  const port = parentPort
  if (port === null) throw new TypeError('answerCalls works only in a thread')
  port.on('message', (task: Task) => void sendAnswer(port, () => answer(task)))
  port.postMessage({ isLoaded: true } satisfies Return)
}

async function sendAnswer(port: MessagePort, answer: () => unknown): Promise<void> {
  try {
    const value = await answer()
    // Bodies are written into plain buffers, not into shared memory.
    port.postMessage({ value } satisfies Return, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
  } catch (error) {
    port.postMessage({ error } satisfies Return)
  }
}
