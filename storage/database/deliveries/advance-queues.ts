import { randomUUID } from 'node:crypto'
import { type FinishedAttempt, recordAttempts } from './attempts.ts'
import { claimQueues, type ClaimOptions, type Claims, readClaims } from './claims.ts'
import { executeTogether } from '../execute-together.ts'
import type { Database } from '../open-database.ts'

export type QueueStep = {
  /** Finished attempts, each to a different receiver. */
  readonly finished: readonly FinishedAttempt[]
  readonly claim: ClaimOptions | undefined
}

export type QueueAdvance = Claims & {
  /** Attempts that were not recorded, because their lease was lost or their delivery was deleted. */
  readonly lost: readonly FinishedAttempt[]
}

/**
 * Records finished attempts and claims the next deliveries. One transaction does both, so that it waits for the database and its disk only
 * once, and claims nothing before the attempts are recorded.
 */
export async function advanceQueues(db: Database, { finished, claim }: QueueStep, now: Date): Promise<QueueAdvance> {
  const leaseToken = randomUUID()
  const rows = await executeTogether(db, {
    ...(finished.length > 0 && recordAttempts(db, finished, now)),
    ...(claim && claimQueues(db, claim, leaseToken, now)),
  })
  const recorded = new Set(rows.moved?.map(({ id }) => id))
  const lost = finished.filter(({ claim }) => !recorded.has(claim.deliveryId))
  if (claim === undefined) return { lost, claims: [], hasMore: false }
  const { queues = [], first = [], left = [] } = rows
  return { lost, ...readClaims({ queues, first, left }, claim, leaseToken) }
}
