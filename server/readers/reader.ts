import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Timing } from '../timing.ts'
import type { ReaderReply, ReaderSettings, ReaderTask } from './reader-messages.ts'

/** Longest time for one task, in milliseconds. The allowances of documents end real ones long before. */
const taskTimeoutMs = 10_000

/** Largest heap of a thread, in MiB. Objects as stored and decompressed lie outside of it. */
const maxHeapMiB = 192

/** The same kind of file as this one: TypeScript from source, JavaScript in a built package. */
const threadProgram = new URL(`reader-thread${extname(import.meta.url)}`, import.meta.url)

/** What a reader needs besides its settings. */
export type ReaderOptions = {
  readonly settings: ReaderSettings
  readonly after: Timing['after']
  /** The program of the thread; tests pass others. */
  readonly program?: URL
}

/**
 * One reader thread. It starts with its first task, and carries out one task after the other. A thread that takes too long or too
 * much memory is ended; the next task starts another.
 */
export class Reader {
  readonly #thread: Piscina<ReaderTask, ReaderReply>
  readonly #turn = pLimit(1)
  readonly #after: Timing['after']

  constructor({ settings, after, program = threadProgram }: ReaderOptions) {
    this.#after = after
    this.#thread = new Piscina({
      filename: fileURLToPath(program),
      name: 'carryOut',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
    })
  }

  /** Tasks that it works on or that wait for it. */
  get load(): number {
    return this.#turn.activeCount + this.#turn.pendingCount
  }

  /**
   * Carries out a task when those before it are done.
   *
   * @throws RequestProblem `repository-too-large` when the thread ran out of memory, `unavailable` when the task took too long
   */
  async carryOut(task: ReaderTask, signal: AbortSignal): Promise<ReaderReply> {
    return this.#turn(async () => {
      signal.throwIfAborted()
      const overtime = new AbortController()
      const cancel = this.#after(taskTimeoutMs, () => overtime.abort())
      try {
        const transferList = task.file === undefined ? [] : [task.file.bytes.buffer as ArrayBuffer]
        return await this.#thread.run(task, { signal: overtime.signal, transferList })
      } catch (cause) {
        throw explainEnd(cause, overtime.signal)
      } finally {
        cancel()
      }
    })
  }

  /** Ends the thread. Tasks under way fail. */
  async close(): Promise<void> {
    await this.#thread.destroy()
  }
}

function explainEnd(cause: unknown, overtime: AbortSignal): unknown {
  if (overtime.aborted) {
    const detail = `Reading the repository took longer than ${taskTimeoutMs / 1000} seconds`
    return new RequestProblem('unavailable', detail, { headers: { 'retry-after': '60' }, cause })
  }
  const isOutOfMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory
    ? new RequestProblem('repository-too-large', `Reading the repository needs more than ${maxHeapMiB} MiB of memory`, {
        cause,
      })
    : cause
}
