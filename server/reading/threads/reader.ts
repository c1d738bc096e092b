import { addAbortListener } from 'node:events'
import { extname } from 'node:path'
import { type ProblemCode, responseHeaders } from '@floe/contract'
import type { SnapshotId } from '@floe/storage/icechunk'
import { receiveBuffer } from '@floe/storage/json'
import { FairQueue, type Tenant } from '@floe/storage/waiting'
import { LRUCache } from 'lru-cache'
import type { Metrics } from '../../observation/metrics.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { Timing } from '../../timing.ts'
import type { ReaderSettings, Replies, Sent, Task } from './reader-messages.ts'
import { requireInTime, type WaitLimit } from './refuse-question.ts'
import { SharedSignal } from './shared-signal.ts'
import { CalledThread } from './thread-calls.ts'

/** Longest time for one task, in milliseconds. The allowances of documents end real tasks long before. */
const taskTimeoutMs = 10_000

/** Largest heap of a thread, in MiB. Objects as stored and decompressed lie outside of it. */
const maxHeapMiB = 192

/**
 * Size of the part of a heap for new values, in MiB: half of what Node.js takes by default. A third of it can move to
 * the old part at once. If that exceeds the limit by more than 16 MiB, V8 ends the whole process instead of the thread.
 * With the default, this happens to about 2 of 100 threads that allocate without end on a busy machine.
 */
const youngHeapMiB = 24

/** Number of snapshots per thread that we remember to have sent to it. */
const maxRemembered = 1_000

/**
 * The program of a thread. It has the extension of this file: TypeScript from source, JavaScript in a built package.
 */
const threadProgram = new URL(`reader-thread${extname(import.meta.url)}`, import.meta.url)

/** A task took too long. */
export class TaskTimeoutProblem extends RequestProblem {
  override name = 'TaskTimeoutProblem'
  /** Whether the thread was reading a file, which can hang for ever. */
  readonly wasReading: boolean

  constructor(cause: unknown, wasReading: boolean, work: string) {
    const detail = `${work} took longer than ${taskTimeoutMs / 1000} seconds`
    super('unavailable', detail, { headers: { [responseHeaders.retryAfter.name]: '60' }, cause })
    this.wasReading = wasReading
  }
}

export type ReaderOptions = {
  readonly settings: ReaderSettings
  readonly after: Timing['after']
  readonly elapsed: Timing['elapsed']
  readonly metrics: Metrics
  /** The program of the thread; tests pass others. */
  readonly program?: URL
}

/** How the problems of each kind of task name the work, and the problem when that needs too much memory. */
const kinds = {
  question: { work: 'Reading the repository', tooLarge: 'repository-too-large' },
  manifest: { work: 'Reading a manifest', tooLarge: 'repository-too-large' },
  contract: { work: 'Checking the contract', tooLarge: 'body-too-large' },
  search: { work: 'The search', tooLarge: 'unavailable' },
} as const satisfies Readonly<Record<Task['kind'], { readonly work: string; readonly tooLarge: ProblemCode }>>

/**
 * One reader thread. It starts with its first task, and runs one task at a time. A thread that takes too long or too
 * much memory is ended; the next task starts another.
 */
export class Reader {
  readonly #options: ReaderOptions
  readonly #thread: CalledThread<Sent<Task>>
  readonly #queue = new FairQueue()
  #assigned = 0
  /** Snapshots that were sent to the thread, by repository and id. It may have dropped some. */
  readonly #sent = new LRUCache<string, true>({ max: maxRemembered })

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#thread = new CalledThread<Sent<Task>>(options.program ?? threadProgram, {
      name: 'reader',
      workerData: options.settings,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB, maxYoungGenerationSizeMb: youngHeapMiB },
    })
  }

  /** Number of questions that the thread is to answer. */
  get load(): number {
    return this.#assigned
  }

  /** Whether a task is running. */
  get isBusy(): boolean {
    return this.#queue.load > 0
  }

  /** Assigns a question to the thread, until the result is disposed of. */
  assign(): Disposable {
    this.#assigned += 1
    return { [Symbol.dispose]: () => (this.#assigned -= 1) }
  }

  /** Whether the thread was sent a snapshot lately, so that it need not be read again. */
  hasRead(repository: number, id: SnapshotId): boolean {
    return this.#sent.has(`${repository} ${id}`)
  }

  /**
   * Runs a task when the thread is free; organisations and their callers take turns.
   *
   * @param limit its signal also cancels the running task; the thread keeps its cached snapshots then, and is soon free
   * @throws RequestProblem `unavailable` when the task waited or took too long, and another when the thread ran out of
   * memory
   */
  async run<Of extends Task>(tenant: Tenant, task: Of, limit: WaitLimit): Promise<Replies[Of['kind']]> {
    const run = async () => {
      requireInTime(this.#options, limit)
      return await this.#send(task, limit.signal)
    }
    return this.#queue.run(tenant, run, limit.signal)
  }

  /** Sends a task to the thread, which is idle; resolves with its reply. */
  async #send<Of extends Task>(task: Of, signal: AbortSignal): Promise<Replies[Of['kind']]> {
    const cancellation = new SharedSignal()
    using _leaving = addAbortListener(signal, () => cancellation.abort())
    try {
      const reply = await this.#callThread({ ...task, cancellation: cancellation.memory })
      if (task.kind === 'question') for (const { id } of task.files) this.#sent.set(`${task.repository} ${id}`, true)
      // The program of the thread answers each kind of task with what `Replies` says.
      return (reply instanceof Uint8Array ? receiveBuffer(reply as Buffer<ArrayBuffer>) : reply) as Replies[Of['kind']]
    } catch (error) {
      signal.throwIfAborted()
      throw error
    }
  }

  /** Starts the thread, so that the first task need not wait for its modules. */
  start(): void {
    this.#thread.start()
  }

  /** Ends the thread. Its tasks fail. */
  async close(): Promise<void> {
    await this.#thread.close()
  }

  /** Calls the thread. A call that takes too long fails and, once the thread has started, ends it. */
  async #callThread(task: Sent<Task>): Promise<unknown> {
    const timeout = new AbortController()
    const { after, elapsed, metrics } = this.#options
    const start = elapsed()
    const stopTimer = after(taskTimeoutMs, () => timeout.abort())
    try {
      return await this.#thread.call(task, listMemory(task), timeout.signal)
    } catch (cause) {
      throw this.#explainEnd(cause, timeout.signal, task)
    } finally {
      metrics.readerTaskSeconds.observe((elapsed() - start) / 1_000)
      stopTimer()
    }
  }

  #explainEnd(cause: unknown, timeout: AbortSignal, task: Sent<Task>): unknown {
    const { work, tooLarge } = kinds[task.kind]
    if (timeout.aborted) {
      if (!this.#thread.isStarting) this.#options.metrics.readerThreadsEnded.inc({ reason: 'time' })
      return new TaskTimeoutProblem(cause, new SharedSignal(task.cancellation).isReading, work)
    }
    const isOutOfMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!isOutOfMemory) return cause
    this.#options.metrics.readerThreadsEnded.inc({ reason: 'memory' })
    const detail = `${work} needs more than ${maxHeapMiB} MiB of memory`
    return new RequestProblem(tooLarge, detail, { cause })
  }
}

/**
 * Lists the memory of a task that is handed over to the thread. Logs and manifests are copied or shared, because a task
 * is sent again if the thread lacks a snapshot. No store returns shared memory, so each is a plain buffer.
 */
function listMemory(task: Task): readonly ArrayBuffer[] {
  if (task.kind === 'contract') return [task.body.buffer]
  if (task.kind === 'search') return []
  if (task.kind === 'manifest') return [task.file.bytes.buffer as ArrayBuffer]
  return task.files.flatMap(({ file }) => ('bytes' in file ? [file.bytes.buffer as ArrayBuffer] : []))
}
