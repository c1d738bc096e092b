import { addAbortListener } from 'node:events'
import { extname } from 'node:path'
import { responseHeaders } from '@floe/contract'
import type { SnapshotId } from '@floe/storage/icechunk'
import { receiveBuffer } from '@floe/storage/json'
import { FairQueue, type Tenant } from '@floe/storage/waiting'
import { LRUCache } from 'lru-cache'
import type { Metrics } from '../../observation/metrics.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { Timing } from '../../timing.ts'
import type {
  ContractReply,
  ContractTask,
  ReaderReply,
  ReaderSettings,
  ReaderTask,
  SnapshotFile,
} from './reader-messages.ts'
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

  constructor(cause: unknown, wasReading: boolean, work = 'Reading the repository') {
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

/** A task without what the reader adds when it is sent. */
export type UnsentTask = Omit<ReaderTask, 'limits' | 'cancellation'>

type AnyTask = ReaderTask | ContractTask

/**
 * One reader thread. It starts with its first task, and runs one task at a time. A thread that takes too long or too
 * much memory is ended; the next task starts another.
 */
export class Reader {
  readonly #options: ReaderOptions
  readonly #thread: CalledThread<AnyTask>
  readonly #queue = new FairQueue()
  #assigned = 0
  /** Snapshots that were sent to the thread, by repository and id. It may have dropped some. */
  readonly #sent = new LRUCache<string, true>({ max: maxRemembered })

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#thread = new CalledThread<AnyTask>(options.program ?? threadProgram, {
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
   * Runs a task when the thread is free; organisations take turns.
   *
   * @param limit its signal also cancels the running task; the thread keeps its cached snapshots then, and is soon free
   * @throws RequestProblem `repository-too-large` when the thread ran out of memory, `unavailable` when the task waited
   * or took too long
   */
  async runTask(org: string, task: UnsentTask, limit: WaitLimit): Promise<ReaderReply> {
    const run = async () => {
      requireInTime(this.#options, limit)
      const { limits } = this.#options.settings
      const memory = listMemory(task.files)
      // The program of the thread answers a task with what the type says.
      const reply = (await this.#send(
        (cancellation) => ({ ...task, limits, cancellation }),
        memory,
        limit.signal,
      )) as ReaderReply
      for (const { id } of task.files) this.#sent.set(`${task.repository} ${id}`, true)
      return 'state' in reply ? reply : receiveBuffer(reply)
    }
    return this.#queue.run(org, run, limit.signal)
  }

  /**
   * Checks a body with a contract when the thread is free; organisations and their callers take turns.
   *
   * @param limit as in {@link runTask}
   * @throws RequestProblem as {@link runTask}
   */
  async checkContract(
    tenant: Tenant,
    task: Omit<ContractTask, 'cancellation'>,
    limit: WaitLimit,
  ): Promise<ContractReply> {
    const run = async () => {
      requireInTime(this.#options, limit)
      const memory = [task.body.buffer]
      // As above.
      return (await this.#send((cancellation) => ({ ...task, cancellation }), memory, limit.signal)) as ContractReply
    }
    return this.#queue.run(tenant, run, limit.signal)
  }

  /** Sends a task to the thread, which is idle; resolves with its reply. */
  async #send(
    makeTask: (cancellation: SharedArrayBuffer) => AnyTask,
    memory: readonly ArrayBuffer[],
    signal: AbortSignal,
  ): Promise<unknown> {
    const cancellation = new SharedSignal()
    using _leaving = addAbortListener(signal, () => cancellation.abort())
    try {
      return await this.#callThread(makeTask(cancellation.memory), memory)
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

  /** Calls the thread, and ends it when that takes too long. */
  async #callThread(task: AnyTask, memory: readonly ArrayBuffer[]): Promise<unknown> {
    const timeout = new AbortController()
    const { after, elapsed, metrics } = this.#options
    const start = elapsed()
    const stopTimer = after(taskTimeoutMs, () => timeout.abort())
    try {
      return await this.#thread.call(task, memory, timeout.signal)
    } catch (cause) {
      throw this.#explainEnd(cause, timeout.signal, task)
    } finally {
      metrics.readerTaskSeconds.observe((elapsed() - start) / 1_000)
      stopTimer()
    }
  }

  #explainEnd(cause: unknown, timeout: AbortSignal, task: AnyTask): unknown {
    const work = 'body' in task ? 'Checking the contract' : 'Reading the repository'
    if (timeout.aborted) {
      this.#options.metrics.readerThreadsEnded.inc({ reason: 'time' })
      return new TaskTimeoutProblem(cause, new SharedSignal(task.cancellation).isReading, work)
    }
    const isOutOfMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (!isOutOfMemory) return cause
    this.#options.metrics.readerThreadsEnded.inc({ reason: 'memory' })
    const detail = `${work} needs more than ${maxHeapMiB} MiB of memory`
    return new RequestProblem('body' in task ? 'body-too-large' : 'repository-too-large', detail, { cause })
  }
}

/**
 * Lists the memory of files, which is handed over to the thread. The logs of a task are copied instead, because a task
 * is sent again if the thread lacks a snapshot. No store returns shared memory, so each is a plain buffer.
 */
function listMemory(files: readonly SnapshotFile[]): readonly ArrayBuffer[] {
  return files.flatMap(({ file }) => ('bytes' in file ? [file.bytes.buffer as ArrayBuffer] : []))
}
