// The program of a reader thread. It caches snapshots and answers questions about them.
import { isMainThread, workerData } from 'node:worker_threads'
import {
  decodeManifest,
  decodeSnapshot,
  IcechunkError,
  openRepository,
  type Snapshot,
  type SnapshotId,
  type StoredFile,
} from '@floe/storage/icechunk'
import { ObjectStoreError, openBlockingStore } from '@floe/storage/objects'
import { LRUCache } from 'lru-cache'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import type { IndexTask } from '../../search/answer-search.ts'
import { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { decodeEncoded, encodeManifest } from '../manifests/encoded-manifest.ts'
import { answerQuestion } from '../questions/answer-question.ts'
import { answerDiff } from '../questions/answer-diff.ts'
import type { AnyAnswer, Question, QuestionKind } from '../questions/question.ts'
import type {
  ContractReply,
  ContractTask,
  IndexReply,
  ManifestReply,
  ManifestTask,
  ReaderReply,
  ReaderSettings,
  ReaderTask,
  Replies,
  Sent,
  SnapshotFile,
  Task,
} from './reader-messages.ts'
import { SharedSignal } from './shared-signal.ts'
import { answerCalls } from './thread-calls.ts'
import { warmUp } from './warm-up.ts'

const { cacheBytes, limits } = workerData as ReaderSettings // `Reader` starts this file with it

/** By repository and id: a copy of a repository has the same snapshot ids, but may be damaged. */
const snapshots = new LRUCache<string, Snapshot>({ maxSize: cacheBytes })

/** Blocking reads cannot be cancelled, so this signal never aborts. */
const { signal: neverAborts } = new AbortController()

/** The kinds of questions whose answers say less without manifests that the store does not return now. */
const kindsBeside: ReadonlySet<QuestionKind> = new Set(['dataset-page', 'diff-page', 'first-datasets'])

let isAsked = false

answerCalls(runTask)
// The simulation runs this file in its main thread, whose code is warm.
if (!isMainThread) await warmUp(() => isAsked)

/** Runs one task. Throws errors that have no problem in the contract, and the error of a cancelled task. */
async function runTask(task: Sent<Task>): Promise<Replies[Task['kind']]> {
  isAsked = true
  const cancellation = new SharedSignal(task.cancellation)
  try {
    if (task.kind === 'search') return await search(task, cancellation)
    if (task.kind === 'contract') return await checkContract(task, cancellation)
    Object.assign(limits, task.limits)
    if (task.kind === 'manifest') return await readManifest(task, cancellation)
    return (await answer(task, cancellation)) ?? { state: 'needs-files' }
  } catch (error) {
    const problem = toReadingProblem(error)
    if (problem === undefined) throw error
    return { state: 'refused', code: problem.code, detail: problem.message, errors: problem.errors }
  }
}

async function checkContract({ body, member }: ContractTask, cancellation: SharedSignal): Promise<ContractReply> {
  // Loads all schemas, which most threads never need.
  const { checkContractBody } = await import('../compatibility/check-contract.ts')
  return { state: 'checked', body: checkContractBody(body, member, cancellation) }
}

async function search({ database, asked }: IndexTask, cancellation: SharedSignal): Promise<IndexReply> {
  // Loads the driver of the database and the pages of search, which only threads that search need.
  const { searchDatabase } = await import('../../search/search-database.ts')
  return searchDatabase(database, asked, cancellation)
}

async function readManifest({ id, file, files }: ManifestTask, cancellation: SharedSignal): Promise<ManifestReply> {
  const chunks = await decodeManifest(file, id, limits, { cancellation, files })
  return { state: 'decoded', manifest: encodeManifest(chunks) }
}

/** Undefined if the thread lacks a snapshot. */
async function answer(task: ReaderTask, cancellation: SharedSignal): Promise<ReaderReply | undefined> {
  const { id, question, logs } = task
  if (!('from' in question)) {
    const snapshot = await findSnapshot(task, id, cancellation)
    if (snapshot === undefined) return undefined
    const source = attachManifests(snapshot, task)
    return checkManifests(source, question, answerQuestion(snapshot, question, cancellation, source))
  }
  // The earlier snapshot first: it is often cached, and if the cache has no room for both, the next question is usually
  // about the later one.
  const before = await findSnapshot(task, question.from, cancellation)
  const after = before && (await findSnapshot(task, id, cancellation))
  if (before === undefined || after === undefined) return undefined
  if (logs === undefined) throw new TypeError('a question about two snapshots came without the logs between them')
  const source = attachManifests(after, task)
  const body = await answerDiff({ before, after, logs }, question, limits, cancellation, source)
  return checkManifests(source, question, body)
}

function attachManifests(snapshot: Snapshot, { manifests }: ReaderTask): SnapshotManifests {
  const read = [...manifests].map(
    ([id, content]) => [id, typeof content === 'string' ? content : decodeEncoded(content)] as const,
  )
  return new SnapshotManifests(snapshot, new Map(read))
}

/** Replies with the body if no manifest was missing, else with those that it needs. */
function checkManifests({ missing }: SnapshotManifests, { kind }: Question, body: AnyAnswer): ReaderReply {
  return missing.size === 0 ? body : { state: 'needs-manifests', ids: [...missing], areBeside: kindsBeside.has(kind) }
}

async function findSnapshot(
  { files, repository }: ReaderTask,
  id: SnapshotId,
  cancellation: SharedSignal,
): Promise<Snapshot | undefined> {
  const key = `${repository} ${id}`
  const cached = snapshots.get(key)
  if (cached !== undefined) return cached
  const file = await readFile(
    files.find((file) => file.id === id),
    cancellation,
  )
  if (file === undefined) return undefined
  const snapshot = await decodeSnapshot(file, id, limits, cancellation)
  // A snapshot larger than the cache is cached too, alone: otherwise each question about it would read it again.
  const { nodes, chunkReferences } = snapshot
  snapshots.set(key, snapshot, { size: Math.min(nodes.sizeBytes + chunkReferences.sizeBytes, cacheBytes) })
  return snapshot
}

/**
 * Undefined if the task carries no file, or the file is unreadable; the main thread then reads it and reports the
 * error.
 */
async function readFile(snapshot: SnapshotFile | undefined, shared: SharedSignal): Promise<StoredFile | undefined> {
  if (snapshot === undefined) return undefined
  const { id, file } = snapshot
  if ('bytes' in file) return file
  shared.isReading = true
  try {
    return await openRepository(openBlockingStore(file), limits).readSnapshotFile(id, neverAborts)
  } catch (error) {
    if (error instanceof IcechunkError || error instanceof ObjectStoreError) return undefined
    throw error
  } finally {
    shared.isReading = false
  }
}
