// Deletes old records, in steps so small that other work does not have to wait long.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, deleteExpired } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

const dayMs = 86_400_000
const attemptsKeptMs = 30 * dayMs
const eventsKeptMs = 90 * dayMs
const auditKeptMs = 365 * dayMs
const endedKeysKeptMs = 90 * dayMs

const intervalMs = 3_600_000

/** Rows deleted in one step, besides the rows that belong to them: with an event, all its deliveries are deleted. */
const stepRows = 100

/**
 * Cleans up now and then every hour.
 *
 * @param onError called with a failure; the next clean-up runs anyway
 * @returns a function that ends this, and resolves when the step under way has ended
 */
export function startCleanUp(db: Database, timing: Timing, onError: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  let cancelNext = () => {}
  const run = async () => {
    try {
      let deleted = stepRows
      while (deleted > 0 && !signal.aborted) {
        deleted = await deleteStep(db, timing.now())
        // A database in memory works synchronously, so without this pause many small steps would block the process like a large one.
        await nextTurn()
      }
    } catch (error) {
      onError(error)
    }
    if (!signal.aborted)
      cancelNext = timing.after(intervalMs, () => {
        running = run()
      })
  }
  let running = run()
  return async () => {
    stopping.abort()
    cancelNext()
    await running
  }
}

function deleteStep(db: Database, now: number): Promise<number> {
  return deleteExpired(db, {
    attemptsBefore: new Date(now - attemptsKeptMs),
    eventsBefore: new Date(now - eventsKeptMs),
    auditBefore: new Date(now - auditKeptMs),
    keysBefore: new Date(now - endedKeysKeptMs),
    limit: stepRows,
  })
}
