// Records the results of attempts. Records them in batches, because each transaction waits for the disk once.
import type { ExpressionBuilder } from 'kysely'
import type { ClaimedDelivery } from './deliveries.ts'
import { lockRows } from '../engine.ts'
import { releaseQueues } from '../queue.ts'
import type { Database } from '../open-database.ts'
import type { Tables } from '../tables.ts'

/** The result of one request to a receiver. */
export type AttemptOutcome = {
  readonly startedAt: Date
  readonly durationMs: number
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null
  readonly error: string | null
  readonly responseExcerpt: string | null
}

/** The consequence of an attempt. A failed redelivery is not retried and does not disable the receiver, except with `gone`. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueAt: Date }
  /** No attempt is left: the delivery is given up and the receiver is disabled, so that its other deliveries are held. */
  | { readonly kind: 'dead'; readonly disableReason: string }
  /** The receiver asked for no more notifications. Has the same effect as `dead`. */
  | { readonly kind: 'gone'; readonly disableReason: string }

/** A claimed delivery after its attempt. */
export type FinishedAttempt = {
  readonly claim: ClaimedDelivery
  readonly outcome: AttemptOutcome
  readonly next: NextStep
}

/**
 * Records attempts to different receivers, and what follows from them, in one transaction.
 *
 * @returns the attempts that were not recorded, because their lease was lost or their delivery deleted
 */
export async function finishAttempts(
  db: Database,
  finished: readonly FinishedAttempt[],
  now: Date,
): Promise<readonly FinishedAttempt[]> {
  if (finished.length === 0) return []
  return db.transaction().execute(async (tx) => {
    const held = await lockHeldQueues(tx, finished)
    if (held.length === 0) return finished
    const recorded = await moveDeliveries(tx, held)
    await insertAttempts(tx, recorded)
    await noteHealth(tx, recorded, now)
    await releaseQueues(tx, held.map(getReceiverId), now)
    return finished.filter((attempt) => !recorded.includes(attempt))
  })
}

/** Locks the queues, and returns the attempts whose lease is still valid. */
async function lockHeldQueues(tx: Database, finished: readonly FinishedAttempt[]): Promise<FinishedAttempt[]> {
  const query = tx.selectFrom('receivers').select(['id', 'lease_token']).where('id', 'in', finished.map(getReceiverId))
  const queues = await lockRows(tx, query.orderBy('id')).execute()
  const tokens = new Map(queues.map((queue) => [queue.id, queue.lease_token]))
  return finished.filter(({ claim }) => tokens.get(claim.receiver.id) === claim.leaseToken)
}

/** Updates the deliveries, and returns the attempts whose delivery still exists. */
async function moveDeliveries(tx: Database, held: readonly FinishedAttempt[]): Promise<FinishedAttempt[]> {
  const moved = new Set<string>()
  const delivered = held.filter(({ next }) => next.kind === 'delivered')
  const batches = delivered.length === 0 ? [] : [delivered]
  for (const failed of held) if (failed.next.kind !== 'delivered') batches.push([failed])
  for (const [first, ...others] of batches) {
    if (first === undefined) continue
    const rows = await tx
      .updateTable('deliveries')
      .set((eb) => ({ ...chooseColumns(first, eb), attempts: eb('attempts', '+', 1) }))
      .where(
        'id',
        'in',
        [first, ...others].map(({ claim }) => claim.deliveryId),
      )
      .returning('id')
      .execute()
    for (const { id } of rows) moved.add(id)
  }
  return held.filter(({ claim }) => moved.has(claim.deliveryId))
}

function chooseColumns({ claim, next }: FinishedAttempt, eb: ExpressionBuilder<Tables, 'deliveries'>) {
  const out = { turn: null, due_at: null }
  if (next.kind === 'delivered') return { ...out, state: 'delivered' as const }
  if (claim.isRedelivery) return out
  if (next.kind !== 'retry') return { ...out, state: 'dead' as const }
  // A delivery that was discarded meanwhile must not wait again.
  return { due_at: eb.case().when('state', '=', 'pending').then(next.dueAt.getTime()).else(eb.ref('due_at')).end() }
}

async function insertAttempts(tx: Database, recorded: readonly FinishedAttempt[]): Promise<void> {
  if (recorded.length === 0) return
  const rows = recorded.map(({ claim, outcome }) => ({
    delivery_id: claim.deliveryId,
    number: claim.attempt,
    started_at: outcome.startedAt.getTime(),
    duration_ms: Math.round(outcome.durationMs),
    status: outcome.status,
    error: outcome.error && replaceNul(outcome.error),
    response_excerpt: outcome.responseExcerpt && replaceNul(outcome.responseExcerpt),
  }))
  await tx.insertInto('attempts').values(rows).execute()
}

/** Replaces NUL, which PostgreSQL cannot store in a text. */
function replaceNul(text: string): string {
  return text.replaceAll('\0', '\ufffd')
}

async function noteHealth(tx: Database, recorded: readonly FinishedAttempt[], now: Date): Promise<void> {
  const [succeeded, failed] = [true, false].map((success) =>
    recorded.filter(({ next }) => (next.kind === 'delivered') === success).map(getReceiverId),
  )
  if (succeeded?.length) {
    const change = { last_success_at: now.getTime(), failing_since: null }
    await tx.updateTable('receivers').set(change).where('id', 'in', succeeded).execute()
  }
  if (failed?.length) {
    await tx
      .updateTable('receivers')
      .set((eb) => ({ failing_since: eb.fn.coalesce('failing_since', eb.val(now.getTime())) }))
      .where('id', 'in', failed)
      .execute()
  }
  for (const { claim, next } of recorded) {
    if (next.kind !== 'gone' && (next.kind !== 'dead' || claim.isRedelivery)) continue
    const change = {
      is_enabled: 0,
      disabled_reason: replaceNul(next.disableReason),
      updated_at: now.getTime(),
    } as const
    await tx
      .updateTable('receivers')
      .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
      .where('id', '=', claim.receiver.id)
      .execute()
  }
}

function getReceiverId({ claim }: FinishedAttempt): string {
  return claim.receiver.id
}
