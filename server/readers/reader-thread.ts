// The program of a reader thread. It keeps the snapshots that it has read, and answers questions about them.
import { workerData } from 'node:worker_threads'
import { decodeSnapshot, type Snapshot } from '@floe/storage/icechunk'
import { LRUCache } from 'lru-cache'
import { move } from 'piscina'
import { toReadingProblem } from '../problems/reading-problem.ts'
import { answerQuestion } from '../snapshots/answer-question.ts'
import type { ReaderReply, ReaderSettings, ReaderTask } from './reader-messages.ts'

const { cacheBytes, limits } = workerData as ReaderSettings // `Reader` starts this file with them

/** By repository and snapshot id: copies of a repository share snapshot ids, and one of the copies may be damaged. */
const snapshots = new LRUCache<string, Snapshot>({ maxSize: cacheBytes })

/** Carries out one task. An error that the contract has no problem for is thrown. */
export async function carryOut(task: ReaderTask): Promise<ReaderReply> {
  try {
    const snapshot = await findSnapshot(task)
    if (snapshot === undefined) return { state: 'needs-file' }
    // The bytes have memory of their own, so they can be handed over without a copy.
    return move(answerQuestion(snapshot, task.question)) as unknown as Uint8Array // Piscina unwraps what `move` marks.
  } catch (error) {
    const problem = toReadingProblem(error)
    if (problem === undefined) throw error
    return { state: 'refused', code: problem.code, detail: problem.message }
  }
}

async function findSnapshot({ repository, id, file }: ReaderTask): Promise<Snapshot | undefined> {
  const key = `${repository} ${id}`
  const known = snapshots.get(key)
  if (known !== undefined || file === undefined) return known
  const snapshot = await decodeSnapshot(file, id, limits)
  // A snapshot larger than the cache is kept too, alone: it would otherwise be read again for each question about it.
  snapshots.set(key, snapshot, { size: Math.min(snapshot.sizeBytes, cacheBytes) })
  return snapshot
}
