// Deletes old records, and the deliveries of deleted receivers, in small steps, so that other work need not wait long.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventRetentionDays } from '@floe/contract/constants'
import { type Database, deleteExpired, type ExpiryCursor, type ExpiryStep } from '@floe/storage/database'
import { BackgroundLoop } from '@floe/storage/waiting'
import type { Timing } from '../timing.ts'

const dayMs = 86_400_000
const attemptRetentionMs = 30 * dayMs
const eventRetentionMs = eventRetentionDays * dayMs
const auditRetentionMs = 365 * dayMs
const endedKeyRetentionMs = 90 * dayMs

const intervalMs = 3_600_000

/**
 * Rows of each kind that are deleted in one step. 99 of 100 steps take at most 10 to 40 ms on a busy machine; larger
 * steps delete no more rows per second.
 */
export const cleanUpRows = 100

/** Makes the loop that deletes now, every hour and when it is woken. A stop ends it after the current step. */
export function makeCleanUp(
  db: Database,
  { now, after }: Pick<Timing, 'now' | 'after'>,
  onError: (error: unknown) => void,
): BackgroundLoop {
  const work = async (signal: AbortSignal) => {
    let step: ExpiryStep | undefined
    while (step?.deleted !== 0 && !signal.aborted) {
      step = await deleteStep(db, now(), step?.cursor)
      // A database in memory works synchronously, so without this pause many small steps would block the process like a
      // large one.
      await nextTurn()
    }
    return undefined
  }
  return new BackgroundLoop({ work, restMs: intervalMs, after, onError })
}

function deleteStep(db: Database, now: number, cursor: ExpiryCursor | undefined): Promise<ExpiryStep> {
  return deleteExpired(db, {
    attemptsBefore: new Date(now - attemptRetentionMs),
    eventsBefore: new Date(now - eventRetentionMs),
    auditBefore: new Date(now - auditRetentionMs),
    keysBefore: new Date(now - endedKeyRetentionMs),
    sessionsBefore: new Date(now),
    limit: cleanUpRows,
    cursor,
  })
}
