// Searches in the database of the service from a reader thread, which has a connection of its own and only reads.
import { type Database, explainUnavailable, openSearchDatabase } from '@floe/storage/database'
import type { Cancellation } from '@floe/storage/json'
import { RequestProblem } from '../problems/request-problem.ts'
import { answerSearch, type SearchTask } from './answer-search.ts'

let db: Database | undefined

/**
 * Answers a search. The first one connects to the database; all name the same.
 *
 * @throws RequestProblem `unavailable` when the database has no answer now
 */
export async function searchDatabase(
  url: string,
  task: SearchTask,
  cancellation: Cancellation,
): Promise<Buffer<ArrayBuffer>> {
  try {
    db ??= await openSearchDatabase(url)
    return await answerSearch(db, task, cancellation)
  } catch (error) {
    const unavailable = explainUnavailable(error)
    if (unavailable === undefined) throw error
    throw new RequestProblem('unavailable', unavailable, { cause: error })
  }
}
