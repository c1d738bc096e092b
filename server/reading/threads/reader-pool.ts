// Distributes questions about snapshots, bodies with contracts, and searches over reader threads.
import type { Repository, SnapshotId } from '@floe/storage/icechunk'
import type { LocalDirectory } from '@floe/storage/objects'
import { FairQueue, FairShares, type Tenant, type TenantCaller } from '@floe/storage/waiting'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { IndexTask } from '../../search/answer-search.ts'
import { type LoadedManifest, ManifestCache } from '../manifests/manifest-cache.ts'
import type { AttachedManifests } from '../manifests/question-manifests.ts'
import type { Answers, AnyAnswer, DiffKind, Question } from '../questions/question.ts'
import { askForFiles } from '../sources/asked-files.ts'
import { Reader, type ReaderOptions, TaskTimeoutProblem } from './reader.ts'
import { type AskedRepository, ManifestReads, toManifestFault, type WantedManifest } from './manifest-reads.ts'
import { listSnapshots, readFiles, withOwnMemory } from './read-files.ts'
import type {
  ContractReply,
  ContractTask,
  ManifestTask,
  NeedsManifests,
  ReaderReply,
  ReaderTask,
  Replies,
  SnapshotFile,
  SnapshotQuestion,
} from './reader-messages.ts'
import { limitWait, refuseQuestion, requireInTime, type WaitLimit } from './refuse-question.ts'

/** Maximum number of waiting questions about one repository, so that a slow repository cannot fill the memory. */
const maxWaiting = 200

/**
 * Maximum number of waiting and running questions about all repositories. An organisation can take half of what the
 * others leave, so that one whose stores hang leaves room for the others.
 */
const maxQuestions = 400

/**
 * Maximum number of tasks whose snapshots the main thread reads or has read, until the thread has answered. They hold
 * up to 64 MiB each. An organisation can have half of what the others leave, so slow stores do not stop the others.
 */
const maxReads = 16

export type { AskedRepository }

/** Options of a pool. */
export type PoolOptions = ReaderOptions & {
  /** Memory for manifests, in bytes. All threads get them from the main thread. */
  readonly manifestBytes: number
}

/** How the pool serves one opened repository. */
type Assignment = AskedRepository & {
  /** For one question at a time, so that a repository never keeps more than one thread busy. */
  readonly slot: FairQueue
  /**
   * For one question about two snapshots at a time, from reading its logs to its answer: logs can be large, so those of
   * waiting questions must not fill the memory.
   */
  readonly logSlot: FairQueue
  /** The thread that answered last, and has cached the snapshots. */
  reader: Reader
}

/** A question, and the thread that answers it. */
type Job = { readonly assignment: Assignment; readonly reader: Reader; readonly asked: SnapshotQuestion }

/** Reader threads. They start when they are first needed. */
export class ReaderPool {
  readonly #readers: readonly Reader[]
  /**
   * The threads that search: all but the first. So there is always one that no search holds, for example when the
   * database is slow. An only thread searches too.
   */
  readonly #searching: readonly Reader[]
  readonly #assignments = new WeakMap<Repository, Assignment>()
  readonly #options: ReaderOptions
  /** What was read of manifests. */
  readonly manifests: ManifestCache
  readonly #manifestReads: ManifestReads
  readonly #questions = new FairShares(() => maxQuestions)
  readonly #reads = new FairQueue(maxReads)
  /**
   * Local directories in which a read exceeded the time limit of its thread. A terminated thread can stay blocked on a
   * hung disk, so no other thread reads there again.
   */
  readonly #slowDirectories = new Set<string>()

  constructor(threads: number, { manifestBytes, ...options }: PoolOptions) {
    this.#options = options
    this.manifests = new ManifestCache(manifestBytes, options.metrics)
    this.#manifestReads = new ManifestReads(this.manifests, options, (...args) => this.#loadManifest(...args))
    this.#readers = Array.from({ length: threads }, () => new Reader(options))
    this.#searching = threads > 1 ? this.#readers.slice(1) : this.#readers
  }

  /** Number of waiting and running questions. */
  get questions(): number {
    return this.#questions.taken
  }

  /** Number of threads that run a task. */
  get running(): number {
    return this.#readers.filter(({ isBusy }) => isBusy).length
  }

  /**
   * Answers a question about a snapshot with the bytes of a body.
   *
   * @param signal cancels the work
   * @throws RequestProblem when the snapshot cannot be read or the question has no answer
   * @throws MissingObjectError, ObjectStoreError
   */
  async ask<Asked extends Question>(
    asked: AskedRepository,
    id: SnapshotId,
    question: Asked,
    signal: AbortSignal,
  ): Promise<Answers[Asked['kind']]> {
    const assignment = this.#findAssignment(asked)
    if (assignment.slot.waiting + assignment.logSlot.waiting >= maxWaiting)
      throw refuseQuestion(this.#options, 'Too many requests wait for this repository')
    if (!this.#questions.hasRoom(asked.org))
      throw refuseQuestion(this.#options, 'Too many requests wait for repositories to be read')
    this.#questions.take(asked.org)
    try {
      // The slots of the repository are free while manifests are read. Logs are read again after that.
      const ask = (manifests: AttachedManifests) =>
        'from' in question
          ? this.#answerWithLogs(assignment, { id, question, manifests }, signal)
          : this.#answerInSlot(assignment, { id, question, logs: undefined, manifests }, signal)
      const files = question.kind === 'chunk-sources' ? askForFiles(question) : undefined
      const answer = await this.#manifestReads.answer(assignment, { ask, files }, signal)
      return answer as Answers[Asked['kind']] // a thread answers each kind with the body that `Answers` says
    } finally {
      this.#questions.release(asked.org)
    }
  }

  /**
   * Checks a body with a contract, and returns it with the document of the contract in its place.
   *
   * @param signal cancels the work
   * @throws RequestProblem when something is wrong with the contract
   */
  async checkContract(
    caller: TenantCaller,
    { body, member }: { readonly body: Uint8Array; readonly member: string | undefined },
    signal: AbortSignal,
  ): Promise<unknown> {
    if (!this.#questions.hasRoom(caller)) throw refuseQuestion(this.#options, 'Too many requests wait for their turn')
    this.#questions.take(caller)
    try {
      // A copy, because the memory is handed over, and a short body is a part of memory that others use. Anonymous
      // callers take turns with the questions of the organisation, which never end on a busy service.
      const task: ContractTask = { kind: 'contract', body: new Uint8Array(body), member }
      const tenant = { ...caller, isAnonymous: false }
      const reply = await this.run(tenant, task, limitWait(this.#options, signal))
      return readContractReply(reply)
    } finally {
      this.#questions.release(caller)
    }
  }

  /** Runs a task that needs no snapshot, in the thread that has the least to do. */
  async run<Of extends ManifestTask | ContractTask | IndexTask>(
    tenant: Tenant,
    task: Of,
    limit: WaitLimit,
  ): Promise<Replies[Of['kind']]> {
    const reader = findIdlest(task.kind === 'search' ? this.#searching : this.#readers)
    using _assigned = reader.assign()
    return await reader.run(tenant, task, limit)
  }

  /** Reads the logs between two snapshots, then answers a question about what changed. */
  async #answerWithLogs(
    assignment: Assignment,
    { id, question, manifests }: Omit<SnapshotQuestion, 'logs'> & { readonly question: Question<DiffKind> },
    signal: AbortSignal,
  ): Promise<AnyAnswer | NeedsManifests> {
    const limit = limitWait(this.#options, signal)
    return assignment.logSlot.run(assignment.org, async () => {
      requireInTime(this.#options, limit)
      const logs = await assignment.repository.readLogs(question.from, id, signal)
      return this.#answerInSlot(assignment, { id, question, logs, manifests }, signal)
    })
  }

  /** Reads a manifest, and has a thread decode it. */
  async #loadManifest({ org, repository }: AskedRepository, { id, files }: WantedManifest, signal: AbortSignal) {
    const load = async (): Promise<LoadedManifest> => {
      const file = withOwnMemory(await repository.readManifestFile(id, signal))
      const storedBytes = file.bytes.length
      const task: ManifestTask = { kind: 'manifest', id, file, files, limits: this.#options.settings.limits }
      // Its question has begun in time.
      const reply = await this.run(org, task, { signal, beginBy: Infinity })
      if (reply.state === 'refused') throw new RequestProblem(reply.code, reply.detail)
      return { content: reply.manifest, storedBytes }
    }
    try {
      return await this.#reads.run(org, load, signal)
    } catch (error) {
      const content = toManifestFault(error)
      if (content === undefined) throw error
      return { content, storedBytes: 0 }
    }
  }

  async #answerInSlot(
    assignment: Assignment,
    asked: SnapshotQuestion,
    signal: AbortSignal,
  ): Promise<AnyAnswer | NeedsManifests> {
    const limit = limitWait(this.#options, signal)
    return assignment.slot.run(assignment.org, async () => {
      requireInTime(this.#options, limit)
      const reader = this.#chooseReader(assignment)
      // Counted before the files are read, so that the next repository gets another thread.
      using _assigned = reader.assign()
      return await this.#answer({ assignment, reader, asked }, limit)
    })
  }

  /** Runs a task with the snapshots that the thread lacks, as far as is known, and again if it lacks more. */
  async #answer(job: Job, limit: WaitLimit): Promise<AnyAnswer | NeedsManifests> {
    const { repository } = job.assignment
    const snapshots = listSnapshots(job.asked)
    const missing = snapshots.filter((id) => !job.reader.hasRead(repository.serial, id))
    // The thread reads snapshots in a local directory itself. The main thread reads those of other stores.
    const { localDirectory } = repository
    const isSlow = localDirectory !== undefined && this.#slowDirectories.has(localDirectory[0])
    const directory = isSlow ? undefined : localDirectory
    let reply = await this.#runTask(job, missing, directory, limit)
    const hasDropped = needsFiles(reply)
    this.#countCacheUse(missing.length === 0 && !hasDropped)
    // It has begun in time, so it may wait longer for the next tries.
    const begun = { ...limit, beginBy: Infinity }
    if (hasDropped) reply = await this.#runTask(job, snapshots, directory, begun)
    // The thread could not read them. The main thread can, or can say why not.
    if (directory && needsFiles(reply)) reply = await this.#runTask(job, snapshots, undefined, begun)
    const body = readBody(reply)
    if (body === undefined) throw new TypeError(`a reader lacks snapshot ${job.asked.id}, which the task carried`)
    return body
  }

  /** Runs a task once, with these snapshots: the thread reads them in `directory`, or else it gets their files. */
  async #runTask(
    { assignment: { org, repository }, reader, asked }: Job,
    snapshots: readonly SnapshotId[],
    directory: LocalDirectory | undefined,
    limit: WaitLimit,
  ): Promise<ReaderReply> {
    const { limits } = this.#options.settings
    const run = (files: readonly SnapshotFile[]) => {
      const task: ReaderTask = { ...asked, kind: 'question', repository: repository.serial, files, limits }
      return reader.run(org, task, limit)
    }
    if (snapshots.length === 0) return run([])
    if (directory === undefined) {
      const read = async () => {
        requireInTime(this.#options, limit)
        return run(await readFiles(repository, snapshots, limit.signal))
      }
      return this.#reads.run(org, read, limit.signal)
    }
    try {
      return await run(snapshots.map((id) => ({ id, file: directory })))
    } catch (error) {
      if (error instanceof TaskTimeoutProblem && error.wasReading) this.#slowDirectories.add(directory[0])
      throw error
    }
  }

  #countCacheUse(isHit: boolean): void {
    const { cacheHits, cacheMisses } = this.#options.metrics
    const counter = isHit ? cacheHits : cacheMisses
    counter.inc({ cache: 'snapshots' })
  }

  /** Starts a thread, so that the first question need not wait for it. */
  start(): void {
    this.#readers[0]?.start()
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.close()))
  }

  /**
   * The thread that has the repository's snapshots, unless it is busy with another repository and another thread is
   * idle.
   */
  #chooseReader(assignment: Assignment): Reader {
    if (assignment.reader.load > 0) assignment.reader = findIdlest(this.#readers)
    return assignment.reader
  }

  #findAssignment(asked: AskedRepository): Assignment {
    const existing = this.#assignments.get(asked.repository)
    if (existing !== undefined) return existing
    const assignment = { ...asked, slot: new FairQueue(), logSlot: new FairQueue(), reader: findIdlest(this.#readers) }
    this.#assignments.set(asked.repository, assignment)
    return assignment
  }
}

function findIdlest(readers: readonly Reader[]): Reader {
  return readers.reduce((idlest, reader) => (reader.load < idlest.load ? reader : idlest))
}

function needsFiles(reply: ReaderReply): boolean {
  return 'state' in reply && reply.state === 'needs-files'
}

/** The body of a reply, or the manifests that it needs; undefined if it needs files. Throws when it refused. */
function readBody(reply: ReaderReply): AnyAnswer | NeedsManifests | undefined {
  if (!('state' in reply) || reply.state === 'needs-manifests') return reply
  if (reply.state === 'refused') throw new RequestProblem(reply.code, reply.detail)
  return undefined
}

/** The checked body of a reply. Throws the problem when it refused. */
function readContractReply(reply: ContractReply): unknown {
  if (reply.state === 'checked') return reply.body
  throw new RequestProblem(reply.code, reply.detail, { errors: reply.errors })
}
