// Distributes questions about snapshots over reader threads.
import { responseHeaders } from '@floe/contract'
import type { LogFiles, Repository, SnapshotId, StoredFile } from '@floe/storage/icechunk'
import type { LocalPlace } from '@floe/storage/objects'
import { FairShares } from '@floe/storage/waiting'
import pLimit, { type LimitFunction } from 'p-limit'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import { Reader, type ReaderOptions, TaskTimeoutProblem } from './reader.ts'
import type { AnyAnswer, Question } from '../question.ts'
import type { ReaderReply, ReaderTask, SnapshotFile } from './reader-messages.ts'

/** Maximum number of waiting questions about one repository, so that a slow repository cannot fill the memory. */
const maxWaiting = 200

/**
 * Maximum number of waiting and running questions about all repositories. An organisation can take half of what the others leave, so that
 * one whose stores hang leaves room for the others.
 */
const maxQuestions = 400

/**
 * Longest wait of a question, in milliseconds. After a longer one it is refused when its slot is free, because its caller may have given
 * up. Questions behind it are then answered in time.
 */
const maxWaitMs = 10_000

/** A repository, and the organisation whose share its questions take. */
export type AskedRepository = { readonly org: string; readonly repository: Repository }

/** How the pool serves one opened repository. */
type Assignment = AskedRepository & {
  /** For one question at a time, so that a repository never keeps more than one thread busy. */
  readonly slot: LimitFunction
  /** For reading the logs between two snapshots, before the question takes a slot. One at a time, because logs can be large. */
  readonly logSlot: LimitFunction
  /** The thread that answered last, and has cached the snapshots. */
  reader: Reader
}

/** Reader threads. They start when they are first needed. */
export class ReaderPool {
  readonly #readers: readonly Reader[]
  readonly #assignments = new WeakMap<Repository, Assignment>()
  readonly #options: ReaderOptions
  readonly #questions = new FairShares(() => maxQuestions)
  /** Local directories where a thread was ended because of the time limit. A disk that hangs keeps an ended thread, so no other reads there. */
  readonly #slowPlaces = new Set<string>()

  constructor(threads: number, options: ReaderOptions) {
    this.#options = options
    this.#readers = Array.from({ length: threads }, () => new Reader(options))
  }

  /** Number of waiting and running questions. */
  get questions(): number {
    return this.#questions.taken
  }

  /** Number of threads that run a task. */
  get running(): number {
    return this.#readers.filter(({ load }) => load > 0).length
  }

  /**
   * Answers a question about a snapshot with the bytes of a body.
   *
   * @param signal cancels the work
   * @throws RequestProblem when the snapshot cannot be read or the question has no answer
   * @throws MissingObjectError, ObjectStoreError
   */
  async ask(asked: AskedRepository, id: SnapshotId, question: Question, signal: AbortSignal): Promise<AnyAnswer> {
    const assignment = this.#findAssignment(asked)
    if (assignment.slot.pendingCount + assignment.logSlot.pendingCount >= maxWaiting)
      throw this.#refuse('Too many requests wait for this repository')
    if (!this.#questions.hasRoom(asked.org)) throw this.#refuse('Too many requests wait for repositories to be read')
    this.#questions.take(asked.org)
    try {
      return await this.#waitForSlot(assignment, id, question, signal)
    } finally {
      this.#questions.release(asked.org)
    }
  }

  async #waitForSlot(
    assignment: Assignment,
    id: SnapshotId,
    question: Question,
    signal: AbortSignal,
  ): Promise<AnyAnswer> {
    const run = (logs?: LogFiles) => {
      const checkWait = this.#limitWait(signal)
      return assignment.slot(() => {
        checkWait()
        return this.#runTask(assignment, { id, question, logs }, { signal, checkWait })
      })
    }
    if (!('from' in question)) return run()
    const checkWait = this.#limitWait(signal)
    return assignment.logSlot(async () => {
      checkWait()
      return run(await assignment.repository.readLogs(question.from, id, signal))
    })
  }

  async #runTask(
    assignment: Assignment,
    task: Pick<ReaderTask, 'id' | 'question' | 'logs'>,
    { signal, checkWait }: { readonly signal: AbortSignal; readonly checkWait: () => void },
  ): Promise<AnyAnswer> {
    const reader = this.#chooseReader(assignment)
    const { org, repository } = assignment
    // Where the thread reads snapshots itself. The main thread reads those of other stores.
    const place = repository.place && !this.#slowPlaces.has(repository.place[0]) ? repository.place : undefined
    const { number } = repository
    const wanted = listSnapshots(task)
    const unread = wanted.filter((id) => !reader.hasRead(number, id))
    const run = async (ids: readonly SnapshotId[], place: LocalPlace | undefined, checkWait?: () => void) => {
      const files = place ? ids.map((id) => ({ id, file: place })) : await readFiles(repository, ids, signal)
      try {
        return await reader.runTask(org, { ...task, repository: number, files }, signal, checkWait)
      } catch (error) {
        if (place && error instanceof TaskTimeoutProblem) this.#slowPlaces.add(place[0])
        throw error
      }
    }
    let reply = await run(unread, place, checkWait)
    const hasDropped = needsFiles(reply)
    const { cacheHits, cacheMisses } = this.#options.metrics
    const counter = unread.length > 0 || hasDropped ? cacheMisses : cacheHits
    counter.inc({ cache: 'snapshots' })
    if (hasDropped) reply = await run(wanted, place)
    // The thread could not read them.
    if (place && needsFiles(reply)) reply = await run(wanted, undefined)
    const body = readBody(reply)
    if (body === undefined) throw new TypeError(`a reader lacks snapshot ${task.id}, which the task carried`)
    return body
  }

  /** Makes a check for when a question takes its slot. It throws if the question was cancelled or has waited too long. */
  #limitWait(signal: AbortSignal): () => void {
    const { elapsed } = this.#options
    const start = elapsed()
    return () => {
      signal.throwIfAborted()
      if (elapsed() - start > maxWaitMs) throw this.#refuse('The request waited too long for a repository to be read')
    }
  }

  #refuse(detail: string): RequestProblem {
    this.#options.metrics.readerQuestionsRefused.inc()
    return new RequestProblem('unavailable', detail, { headers: { [responseHeaders.retryAfter.name]: '1' } })
  }

  /** Starts a thread, so that the first question need not wait for it. */
  start(): void {
    this.#readers[0]?.start()
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.close()))
  }

  /** The thread that has the repository's snapshots, unless it is busy with another repository and another thread is idle. */
  #chooseReader(assignment: Assignment): Reader {
    if (assignment.reader.load > 0) assignment.reader = this.#findIdlest()
    return assignment.reader
  }

  #findIdlest(): Reader {
    return this.#readers.reduce((idlest, reader) => (reader.load < idlest.load ? reader : idlest))
  }

  #findAssignment(asked: AskedRepository): Assignment {
    const known = this.#assignments.get(asked.repository)
    if (known !== undefined) return known
    const assignment = { ...asked, slot: pLimit(1), logSlot: pLimit(1), reader: this.#findIdlest() }
    this.#assignments.set(asked.repository, assignment)
    return assignment
  }
}

function needsFiles(reply: ReaderReply): boolean {
  return 'state' in reply && reply.state === 'needs-files'
}

/** The body that a thread answered; undefined when it needs the file. Throws the problem when it refused. */
function readBody(reply: ReaderReply): AnyAnswer | undefined {
  if (!('state' in reply)) return reply
  if (reply.state === 'refused') throw new RequestProblem(reply.code, reply.detail)
  return undefined
}

/** The snapshots that a question is about. */
function listSnapshots({ id, question }: Pick<ReaderTask, 'id' | 'question'>): readonly SnapshotId[] {
  return 'from' in question && question.from !== id ? [id, question.from] : [id]
}

function readFiles(
  repository: Repository,
  ids: readonly SnapshotId[],
  signal: AbortSignal,
): Promise<readonly SnapshotFile[]> {
  return Promise.all(
    ids.map(async (id) => ({ id, file: withOwnMemory(await repository.readSnapshotFile(id, signal)) })),
  )
}

/** Gives a file memory of its own, which can be transferred to a thread. Stores may return a part of a larger buffer. */
function withOwnMemory(file: StoredFile): StoredFile {
  const { bytes } = file
  return bytes.byteLength === bytes.buffer.byteLength ? file : { ...file, bytes: new Uint8Array(bytes) }
}
