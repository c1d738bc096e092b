// Deletes what has been kept long enough, in steps so small that nothing else waits for them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, deleteExpired } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

const dayMs = 86_400_000
const attemptsKeptMs = 30 * dayMs
const eventsKeptMs = 90 * dayMs
const auditKeptMs = 365 * dayMs

/** Time between two clean-ups, in milliseconds. */
const intervalMs = 3_600_000

/** Rows of one step, each with what belongs to it: an event takes all its deliveries along. */
const stepRows = 100

/** Cleans up now and every hour; call the result to stop. */
export function startRetention(db: Database, timing: Timing, onError: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController()
  let cancel: () => void = () => {}
  let running = Promise.resolve()
  const cleanUp = async (): Promise<void> => {
    try {
      let deleted = stepRows
      while (deleted > 0 && !stopping.signal.aborted) {
        deleted = await deleteStep(db, timing.now())
        // SQLite answers at once, so that without this the steps would be one.
        await nextTurn()
      }
    } catch (error) {
      onError(error)
    }
    if (!stopping.signal.aborted) cancel = timing.after(intervalMs, start)
  }
  const start = (): void => {
    running = cleanUp()
  }
  start()
  return async () => {
    stopping.abort()
    cancel()
    await running
  }
}

function deleteStep(db: Database, now: number): Promise<number> {
  return deleteExpired(db, {
    attemptsBefore: new Date(now - attemptsKeptMs),
    eventsBefore: new Date(now - eventsKeptMs),
    auditBefore: new Date(now - auditKeptMs),
    limit: stepRows,
  })
}
