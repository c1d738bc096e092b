// Distributes questions about snapshots over reader threads.
import type { Repository, SnapshotId, StoredFile } from '@floe/storage/icechunk'
import pLimit, { type LimitFunction } from 'p-limit'
import { RequestProblem } from '../problems/request-problem.ts'
import type { SnapshotQuestion } from '../snapshots/question.ts'
import { Reader, type ReaderOptions } from './reader.ts'
import type { ReaderReply } from './reader-messages.ts'

/** Questions about one repository that may wait. More are refused, so that a slow repository cannot fill the memory with them. */
const maxWaiting = 200

/** How the pool serves one opened repository. */
type Assignment = {
  /** Identifies it in messages to threads. */
  readonly number: number
  /** One question after the other, so that one repository never keeps more than one thread busy. */
  readonly turn: LimitFunction
  /** The thread that answered last and so has its snapshots. */
  reader: Reader
}

/** Reader threads. They start when they are first needed. */
export class ReaderPool {
  readonly #readers: readonly Reader[]
  readonly #assignments = new WeakMap<Repository, Assignment>()
  #count = 0

  constructor(threads: number, options: ReaderOptions) {
    this.#readers = Array.from({ length: threads }, () => new Reader(options))
  }

  /**
   * Answers a question about a snapshot with the bytes of a body.
   *
   * @param signal stops waiting; a thread that is at work finishes
   * @throws RequestProblem when the snapshot cannot be read or the question has no answer
   * @throws MissingObjectError, ObjectStoreError
   */
  async ask(
    repository: Repository,
    id: SnapshotId,
    question: SnapshotQuestion,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const assignment = this.#findAssignment(repository)
    if (assignment.turn.pendingCount >= maxWaiting) {
      throw new RequestProblem('unavailable', 'Too many requests wait for this repository', {
        headers: { 'retry-after': '1' },
      })
    }
    return assignment.turn(async () => {
      signal.throwIfAborted()
      const task = { repository: assignment.number, id, question, file: undefined }
      const reader = this.#chooseReader(assignment)
      const kept = readBody(await reader.carryOut(task, signal))
      if (kept !== undefined) return kept
      const file = withOwnMemory(await repository.readSnapshotFile(id, signal))
      const body = readBody(await reader.carryOut({ ...task, file }, signal))
      if (body === undefined) throw new TypeError(`a reader was given snapshot ${id} and asks for it`)
      return body
    })
  }

  /** A number that identifies an opened repository, for keys of caches. The text of a location may stand for several. */
  identify(repository: Repository): number {
    return this.#findAssignment(repository).number
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
    const assignment = { number: ++this.#count, turn: pLimit(1), reader: this.#findIdlest() }
    this.#assignments.set(repository, assignment)
    return assignment
  }
}

/** The body that a thread answered; undefined when it needs the file. Throws the problem when it refused. */
function readBody(reply: ReaderReply): Uint8Array | undefined {
  if (reply instanceof Uint8Array) return reply
  if (reply.state === 'refused') throw new RequestProblem(reply.code, reply.detail)
  return undefined
}

/** Gives a file memory that belongs to it alone, so that it can be handed to a thread. Stores may return a part of a larger buffer. */
function withOwnMemory(file: StoredFile): StoredFile {
  const { bytes } = file
  return bytes.byteLength === bytes.buffer.byteLength ? file : { ...file, bytes: new Uint8Array(bytes) }
}
