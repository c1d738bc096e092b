import { type Database, type QueueState, readQueueState } from '@floe/storage/database'

/**
 * Makes a function that reads what waits in the database. Calls at the same time share one look. It returns undefined when the database does
 * not answer.
 */
export function openQueueReader(
  db: Database,
  onError: (error: unknown) => void,
): () => Promise<QueueState | undefined> {
  let pending: Promise<QueueState | undefined> | undefined
  const read = async () => {
    try {
      return await readQueueState(db)
    } catch (error) {
      onError(error)
      return undefined
    } finally {
      pending = undefined
    }
  }
  return () => (pending ??= read())
}
