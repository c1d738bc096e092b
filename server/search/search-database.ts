// Searches in the database of the service from a reader thread, which has a connection of its own and only reads.
import { type Database, explainUnavailable, openSearchDatabase } from '@floe/storage/database'
import type { Cancellation } from '@floe/storage/json'
import { RequestProblem } from '../problems/request-problem.ts'
import { answerSearch, type SearchTask } from './answer-search.ts'

/** By address. A service has one database; the services of a test share threads. */
const connections = new Map<string, Promise<Database>>()

/**
 * Answers a search. The first one connects to the database.
 *
 * @throws RequestProblem `unavailable` when the database has no answer now
 */
export async function searchDatabase(
  url: string,
  task: SearchTask,
  cancellation: Cancellation,
): Promise<Buffer<ArrayBuffer>> {
  try {
    return await answerSearch(await connect(url), task, cancellation)
  } catch (error) {
    const unavailable = explainUnavailable(error)
    if (unavailable === undefined) throw error
    throw new RequestProblem('unavailable', unavailable, { cause: error })
  }
}

/** A connection that failed is tried again by the next search. */
function connect(url: string): Promise<Database> {
  const opening = connections.get(url) ?? openSearchDatabase(url)
  connections.set(url, opening)
  opening.catch(() => connections.delete(url))
  return opening
}
