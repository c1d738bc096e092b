// The program of a reader thread. It keeps the snapshots that it has read, and answers questions about them.
import { workerData } from 'node:worker_threads'
import { decodeSnapshot, type Snapshot, type SnapshotId } from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import { toReadingProblem } from '../problems/reading-problem.ts'
import { answerQuestion, answerView } from '../snapshots/answer-question.ts'
import { answerDiff } from '../snapshots/diff/answer-diff.ts'
import type { SnapshotQuestion } from '../snapshots/question.ts'
import { CacheCounts } from './cache-counts.ts'
import { SavedSnapshots } from './saved/saved-snapshots.ts'
import type { ReaderReply, ReaderStart, ReaderTask, SnapshotAddress } from './reader-messages.ts'
import { SharedSignal } from './shared-signal.ts'
import { answerCalls } from './thread-calls.ts'
import { warmUp } from './warm-up.ts'

const { settings, counts: memory } = workerData as ReaderStart // `Reader` starts this file with it
const { cacheBytes, limits, snapshotDirectory } = settings

const counts = new CacheCounts(memory)
// A thread before this one may have ended with snapshots.
counts.set('snapshotBytes', 0)

/** By repository and snapshot id: copies of a repository share snapshot ids, and one of the copies may be damaged. */
const snapshots = new LRUCache<string, Snapshot>({ maxSize: cacheBytes })

const allDatasets: SnapshotQuestion = { kind: 'datasets', below: '' }

const saved = snapshotDirectory === null ? undefined : new SavedSnapshots(snapshotDirectory, limits)

answerCalls((call) => {
  if (call.kind === 'carry-out') return carryOut(call.task)
  if (call.kind === 'save') return save(call.snapshot)
  return warmUp().then(() => undefined)
})

/** Carries out one task. An error that the contract has no problem for is thrown, and so is the end of a cancelled task. */
async function carryOut(task: ReaderTask): Promise<ReaderReply> {
  Object.assign(limits, task.limits)
  const cancellation = new SharedSignal(task.cancellation)
  try {
    return (await answer(task, cancellation)) ?? { state: 'needs-files' }
  } catch (error) {
    const problem = toReadingProblem(error)
    if (problem === undefined) throw error
    return { state: 'refused', code: problem.code, detail: problem.message }
  }
}

/** Undefined when a snapshot is missing. */
async function answer(task: ReaderTask, cancellation: SharedSignal): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { id, question, logs } = task
  const after = await findSnapshot(task, id, cancellation)
  if (question.kind !== 'diff') {
    return after === undefined
      ? answerFromSaved(task, question, cancellation)
      : answerQuestion(after, question, cancellation)
  }
  const before = await findSnapshot(task, question.from, cancellation)
  if (before === undefined || after === undefined) return undefined
  if (logs === undefined) throw new TypeError('a question about two snapshots came without the logs between them')
  return answerDiff({ before, after, logs, page: question.page }, limits, cancellation)
}

/** Saves a snapshot that the thread still has. Throws the error of the system when that fails. */
async function save(address: SnapshotAddress): Promise<void> {
  const { identity, id } = address
  const snapshot = snapshots.get(writeKey(address))
  if (saved === undefined || identity === undefined || snapshot === undefined) return
  await saved.save({ repository: identity, id }, snapshot, () => answerQuestion(snapshot, allDatasets))
}

/** The most frequent questions are answered from a saved snapshot; the others need the whole one. */
async function answerFromSaved(
  { identity, id }: SnapshotAddress,
  question: SnapshotQuestion,
  cancellation: SharedSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (saved === undefined || identity === undefined) return undefined
  const key = { repository: identity, id }
  if (question.kind === 'datasets' && question.below === '') {
    const datasets = countSaved(await saved.readDatasets(key))
    return datasets && new Uint8Array(datasets)
  }
  if (question.kind !== 'view') return undefined
  const group = countSaved(await saved.readGroup(key, question.group))
  return group && answerView(group, question.view, question.group, cancellation)
}

/** Counts what was looked for in the saved snapshots, and returns it. */
function countSaved<Found>(found: Found | undefined): Found | undefined {
  counts.count(found === undefined ? 'savedMisses' : 'savedHits')
  return found
}

async function findSnapshot(
  { files, repository }: ReaderTask,
  id: SnapshotId,
  cancellation: SharedSignal,
): Promise<Snapshot | undefined> {
  const key = writeKey({ repository, id })
  const file = files.find((file) => file.id === id)?.file
  const known = snapshots.get(key)
  // A task that brings files follows one without them, which was counted.
  if (files.length === 0) counts.count(known === undefined ? 'snapshotMisses' : 'snapshotHits')
  if (known !== undefined || file === undefined) return known
  const snapshot = await decodeSnapshot(file, id, limits, cancellation)
  // A snapshot larger than the cache is kept too, alone: it would otherwise be read again for each question about it.
  snapshots.set(key, snapshot, { size: Math.min(snapshot.nodes.sizeBytes, cacheBytes) })
  counts.set('snapshotBytes', snapshots.calculatedSize)
  return snapshot
}

function writeKey({ repository, id }: Pick<SnapshotAddress, 'repository' | 'id'>): string {
  return `${repository} ${id}`
}
