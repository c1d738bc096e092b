// Advances the queues: records attempts, and claims waiting deliveries for the processes that send them. A claim leases
// a queue, so that at most one of its deliveries is under way in all processes together.
import { type FinishedAttempt, recordAttempts } from './attempts.ts'
import { type ClaimOptions, claimQueues, type Claims, readClaims } from './claim-queues.ts'
import { canChangeState, recordStateChange } from './record-state-change.ts'
import type { DescribeNotice } from '../events/record-notice.ts'
import { executeTogether } from '../engine/execute-together.ts'
import type { Database } from '../open-database.ts'
import { toDate } from '../to-date.ts'

export type QueueStep = {
  /** Finished attempts, each of a different queue. */
  readonly finished: readonly FinishedAttempt[]
  readonly claim: ClaimOptions | undefined
  /** Writes the texts of notices that the attempts cause. */
  readonly describe: DescribeNotice
}

export type QueueAdvance = Claims & {
  /** Attempts that were not recorded, because their lease was lost or their delivery was deleted. */
  readonly lost: readonly FinishedAttempt[]
}

/**
 * Records finished attempts and claims the next deliveries. One transaction does both, so that it waits for the
 * database and its disk only once, and claims nothing before the attempts are recorded. Attempts that can change the
 * state of a receiver, which are few, are recorded before, each in a transaction with its notice.
 */
export async function advanceQueues(
  db: Database,
  { finished, claim, describe }: QueueStep,
  now: Date,
): Promise<QueueAdvance> {
  const recorded = new Set<number>()
  for (const attempt of finished.filter(canChangeState)) {
    if (await recordStateChange(db, attempt, describe, now)) recorded.add(attempt.claim.deliveryNumber)
  }
  const others = finished.filter((attempt) => !canChangeState(attempt))
  const rows = await executeTogether(db, {
    ...(others.length > 0 && recordAttempts(db, others, now)),
    ...(claim && claimQueues(db, claim, now)),
  })
  for (const row of rows.inserted ?? []) recorded.add(row.delivery_number)
  const lost = finished.filter(({ claim }) => !recorded.has(claim.deliveryNumber))
  if (claim === undefined) return { lost, claims: [], hasMore: false }
  const { queues = [], first = [], left = [] } = rows
  return { lost, ...readClaims({ queues, first, left }, claim) }
}

/** Returns the next time when a queue is due or a lease ends; null when no delivery waits. */
export async function nextDueAt(db: Database): Promise<Date | null> {
  const row = await db
    .selectFrom('queues')
    .innerJoin('receivers', 'receivers.id', 'queues.receiver_id')
    .select('due_at')
    .where('is_enabled', '=', 1)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return toDate(row?.due_at ?? null)
}
