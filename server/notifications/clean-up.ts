// Deletes old records in small steps, so that other work need not wait long.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, deleteExpired, type ExpiryPlace, type ExpiryStep } from '@floe/storage/database'
import type { Timing } from '../timing.ts'

const dayMs = 86_400_000
const attemptRetentionMs = 30 * dayMs
const eventRetentionMs = 90 * dayMs
const auditRetentionMs = 365 * dayMs
const endedKeyRetentionMs = 90 * dayMs

const intervalMs = 3_600_000

/** Rows of each kind that are deleted in one step. On a slow disk, this takes some 20 ms. */
export const cleanUpRows = 200

/**
 * Cleans up now, and every hour from now on.
 *
 * @param onError called with a failure; the next clean-up runs anyway
 * @returns a function that stops this, and resolves when the current step has ended
 */
export function startCleanUp(db: Database, timing: Timing, onError: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  let cancelNext = () => {}
  const run = async () => {
    try {
      let step: ExpiryStep | undefined
      while (step?.deleted !== 0 && !signal.aborted) {
        step = await deleteStep(db, timing.now(), step?.place)
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

function deleteStep(db: Database, now: number, place: ExpiryPlace | undefined): Promise<ExpiryStep> {
  return deleteExpired(db, {
    attemptsBefore: new Date(now - attemptRetentionMs),
    eventsBefore: new Date(now - eventRetentionMs),
    auditBefore: new Date(now - auditRetentionMs),
    keysBefore: new Date(now - endedKeyRetentionMs),
    limit: cleanUpRows,
    place,
  })
}
