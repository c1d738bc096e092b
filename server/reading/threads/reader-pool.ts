// Distributes questions about snapshots over reader threads.
import { responseHeaders } from '@floe/contract'
import type { LogFiles, Repository, SnapshotId, StoredFile } from '@floe/storage/icechunk'
import pLimit, { type LimitFunction } from 'p-limit'
import { RequestProblem } from '../../http/problems/request-problem.ts'
import { Reader, type ReaderOptions } from './reader.ts'
import type { AnyAnswer, Question } from '../question.ts'
import type { ReaderReply, ReaderTask, SnapshotFile } from './reader-messages.ts'

/** Questions about one repository that may wait. More are refused, so that a slow repository cannot fill the memory with them. */
const maxWaiting = 200

/** Questions about all repositories that wait or are in work. */
const maxQuestions = 400

/**
 * A question that has waited so long is refused when its turn comes, in milliseconds. Its caller may have given up, and those behind it are
 * answered in time.
 */
const maxWaitMs = 10_000

/** How the pool serves one opened repository. */
type Assignment = {
  /** One question after the other, so that one repository never keeps more than one thread busy. */
  readonly turn: LimitFunction
  /** Before its turn, a question about two snapshots reads the logs between them. One at a time, because they can be large. */
  readonly diffTurn: LimitFunction
  /** The thread that answered last and so has its snapshots. */
  reader: Reader
}

/** Reader threads. They start when they are first needed. */
export class ReaderPool {
  readonly #readers: readonly Reader[]
  readonly #assignments = new WeakMap<Repository, Assignment>()
  readonly #options: ReaderOptions
  #questions = 0

  constructor(threads: number, options: ReaderOptions) {
    this.#options = options
    this.#readers = Array.from({ length: threads }, () => new Reader(options))
  }

  /** Questions that wait or are in work. */
  get questions(): number {
    return this.#questions
  }

  /** Tasks that threads work on. */
  get running(): number {
    return this.#readers.filter(({ load }) => load > 0).length
  }

  /**
   * Answers a question about a snapshot with the bytes of a body.
   *
   * @param signal stops the work
   * @throws RequestProblem when the snapshot cannot be read or the question has no answer
   * @throws MissingObjectError, ObjectStoreError
   */
  async ask(repository: Repository, id: SnapshotId, question: Question, signal: AbortSignal): Promise<AnyAnswer> {
    const assignment = this.#findAssignment(repository)
    if (assignment.turn.pendingCount + assignment.diffTurn.pendingCount >= maxWaiting)
      throw this.#refuse('Too many requests wait for this repository')
    if (this.#questions >= maxQuestions) throw this.#refuse('Too many requests wait for repositories to be read')
    this.#questions += 1
    try {
      return await this.#take(assignment, repository, id, question, signal)
    } finally {
      this.#questions -= 1
    }
  }

  async #take(
    assignment: Assignment,
    repository: Repository,
    id: SnapshotId,
    question: Question,
    signal: AbortSignal,
  ): Promise<AnyAnswer> {
    const carryOut = (logs?: LogFiles) => {
      const begin = this.#limitWait(signal)
      return assignment.turn(() => {
        begin()
        return this.#carryOut(assignment, repository, { id, question, logs }, { signal, begin })
      })
    }
    if (!('from' in question)) return carryOut()
    const begin = this.#limitWait(signal)
    return assignment.diffTurn(async () => {
      begin()
      return carryOut(await repository.readLogs(question.from, id, signal))
    })
  }

  async #carryOut(
    assignment: Assignment,
    repository: Repository,
    task: Pick<ReaderTask, 'id' | 'question' | 'logs'>,
    { signal, begin }: { readonly signal: AbortSignal; readonly begin: () => void },
  ): Promise<AnyAnswer> {
    const reader = this.#chooseReader(assignment)
    const { number } = repository
    const reply = await reader.carryOut({ ...task, repository: number, files: [] }, signal, begin)
    const needsFiles = 'state' in reply && reply.state === 'needs-files'
    const { cacheHits, cacheMisses } = this.#options.metrics
    const counter = needsFiles ? cacheMisses : cacheHits
    counter.inc({ cache: 'snapshots' })
    const cached = readBody(reply)
    if (cached !== undefined) return cached
    const files = await readFiles(repository, listSnapshots(task), signal)
    const body = readBody(await reader.carryOut({ ...task, repository: number, files }, signal))
    if (body === undefined) throw new TypeError(`a reader was given snapshot ${task.id} and asks for it`)
    return body
  }

  /** Makes the check of a question whose turn comes: it throws if the last caller has left, or the question has waited too long. */
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

  #findAssignment(repository: Repository): Assignment {
    const known = this.#assignments.get(repository)
    if (known !== undefined) return known
    const assignment = { turn: pLimit(1), diffTurn: pLimit(1), reader: this.#findIdlest() }
    this.#assignments.set(repository, assignment)
    return assignment
  }
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

/** Gives a file memory that belongs to it alone, so that it can be handed to a thread. Stores may return a part of a larger buffer. */
function withOwnMemory(file: StoredFile): StoredFile {
  const { bytes } = file
  return bytes.byteLength === bytes.buffer.byteLength ? file : { ...file, bytes: new Uint8Array(bytes) }
}
