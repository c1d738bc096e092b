// Advances the queues: records attempts, and claims waiting deliveries for the processes that send them. A claim leases
// a queue, so that at most one of its deliveries is under way in all processes together.
import { sql, type SqlBool } from 'kysely'
import { type ClaimedDelivery, type FinishedAttempt, recordAttempts } from './attempts.ts'
import { claimQueues, type Claims, readClaims } from './claim-queues.ts'
import type { ClaimOptions } from './lease-queues.ts'
import { isOneOf, lockFreeRows } from '../engine/engine.ts'
import { executeTogether } from '../engine/execute-together.ts'
import type { Database } from '../open-database.ts'
import { toDate } from '../to-date.ts'

export type QueueStep = {
  /**
   * Finished attempts, each of a different queue. `recordStateChanges` must record those that `canChangeState` finds.
   */
  readonly finished: readonly FinishedAttempt[]
  readonly claim: ClaimOptions | undefined
}

export type QueueAdvance = Claims & {
  /** Attempts that were not recorded, because their lease was lost or their delivery was deleted. */
  readonly lost: readonly FinishedAttempt[]
}

/**
 * Records finished attempts and claims the next deliveries. One transaction does both, so that it waits for the
 * database and its disk only once, and claims nothing before the attempts are recorded.
 */
export async function advanceQueues(db: Database, { finished, claim }: QueueStep, now: Date): Promise<QueueAdvance> {
  const rows = await executeTogether(db, {
    ...(finished.length > 0 && recordAttempts(db, finished, now)),
    ...(claim && claimQueues(db, claim)),
  })
  const recorded = new Set(rows.inserted?.map((row) => row.delivery_number))
  const lost = finished.filter(({ claim }) => !recorded.has(claim.deliveryNumber))
  if (claim === undefined) return { lost, claims: [], hasMore: false }
  const { queues = [], first = [], left = [] } = rows
  return { lost, ...readClaims({ queues, first, left }, claim) }
}

/** What a replica looks at before it claims or rests. */
export type QueueOutlook = {
  /** When the next queue is due that no replica has leased; null when there is none. */
  readonly dueAt: Date | null
  /** When deliveries of a receiver next leave as a digest; null when none wait for one. */
  readonly digestAt: Date | null
  /** Number of queues that this replica has leased. */
  readonly leased: number
}

export async function readOutlook(db: Database, replica: string): Promise<QueueOutlook> {
  const due = db
    .selectFrom('queues')
    .select('due_at')
    .where('leased_by', 'is', null)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
  const digest = db
    .selectFrom('receivers')
    .select('digest_at')
    .where('digest_at', 'is not', null)
    .where('is_enabled', '=', 1)
    .orderBy('digest_at')
    .limit(1)
  const leased = db
    .selectFrom('queues')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('leased_by', '=', replica)
  const row = await db
    .selectNoFrom([sql<number | null>`${due}`.as('dueAt'), sql<number | null>`${digest}`.as('digestAt')])
    .select(sql<number>`${leased}`.as('leased'))
    .executeTakeFirstOrThrow()
  return { dueAt: toDate(row.dueAt), digestAt: toDate(row.digestAt), leased: row.leased }
}

/** The name of a queue in {@link releaseStrays}. */
export function nameQueue({ receiver, repoId }: Pick<ClaimedDelivery, 'receiver' | 'repoId'>): string {
  return `${receiver.id} ${repoId}`
}

/**
 * Releases the queues that a replica has leased without knowing it, or has given up. Returns their number. Leaves rows
 * that others have locked to the next call, as `releaseLost` does.
 *
 * @param busy the queues that it works on, by {@link nameQueue}
 * @param until when they can be claimed again
 */
export async function releaseStrays(
  db: Database,
  { replica, busy, until }: { readonly replica: string; readonly busy: ReadonlySet<string>; readonly until: Date },
): Promise<number> {
  const name = sql<string>`receiver_id || ' ' || repo_id`
  const strays = db
    .selectFrom('queues')
    .select(['receiver_id', 'repo_id'])
    .where('leased_by', '=', replica)
    .where((eb) => eb.not(isOneOf(db, name, [...busy])))
  const { numUpdatedRows } = await db
    .updateTable('queues')
    .set({
      leased_by: null,
      lease_number: null,
      // The queue of a disabled receiver stays without a due time.
      due_at: sql`case when due_at is not null then cast(${until.getTime()} as bigint) end`,
    })
    .where(sql<SqlBool>`(receiver_id, repo_id) in ${lockFreeRows(db, strays, 'queues')}`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
