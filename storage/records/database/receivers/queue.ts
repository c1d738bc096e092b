// The queues of a receiver, one for each repository: their waiting deliveries, and when the first of them is due. Code
// that changes the waiting deliveries must call one of these functions, which update `due_at` of the queues.
import type { Resume } from '@floe/contract/lists'
import { sql, type SqlBool } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'

/**
 * Replayed deliveries get this value plus their number as position, so that they come after all others in their queue,
 * oldest first.
 */
export const firstReplayPosition = 2 ** 50

/** Whether an administrator requested the delivery at this position: a redelivery, which is at 0, or a replay. */
export function isRequested(position: number | null): boolean {
  return position !== null && (position === 0 || position >= firstReplayPosition)
}

/**
 * Whether a delivery is pending, so that it is held while its receiver is disabled. Such deliveries have their own
 * number as position. This compares positions, because the index of queues has no states.
 */
export const isPending = sql<SqlBool>`(queue_position > 0 and queue_position < ${sql.lit(firstReplayPosition)})`

/**
 * Number of deliveries that one statement discards. A receiver that is disabled for months can have more than a hundred
 * thousand held deliveries, and one statement for all of them could exceed the time limit of the database.
 */
const discardStep = 1_000

/**
 * Makes the held deliveries that `resume` selects due now, and discards the others. The receiver's row must be locked.
 */
export async function resumeQueues(tx: Database, receiverId: string, resume: Resume, now: Date): Promise<void> {
  const queues = await tx.selectFrom('queues').select('repo_id').where('receiver_id', '=', receiverId).execute()
  for (const { repo_id: repoId } of queues) {
    const queue = { receiverId, repoId }
    if (resume !== 'all') await discardHeld(tx, queue, resume === 'latest' ? await listLatest(tx, queue) : [])
  }
  await tx
    .updateTable('undelivered')
    .set({ due_at: null })
    .where('receiver_id', '=', receiverId)
    .where(isPending)
    .where('due_at', 'is not', null)
    .execute()
  await wakeQueues(tx, { receiverId }, now)
}

type Queue = { readonly receiverId: string; readonly repoId: string }

/** Selects the held deliveries. Those that an administrator requested are never held. */
function selectHeld(tx: Database, { receiverId, repoId }: Queue) {
  return tx
    .selectFrom('undelivered')
    .where('undelivered.receiver_id', '=', receiverId)
    .where('undelivered.repo_id', '=', repoId)
    .where(isPending)
}

/** Lists the positions of the last held delivery of each branch, tag, expectation and contract, and of notices. */
async function listLatest(tx: Database, queue: Queue): Promise<readonly string[]> {
  const rows = await selectHeld(tx, queue)
    .innerJoin('deliveries', 'deliveries.number', 'delivery_number')
    .innerJoin('events', 'events.number', 'event_number')
    .select((eb) => eb.fn.max('queue_position').as('latest'))
    .groupBy('ref')
    .execute()
  return rows.map(({ latest }) => String(latest))
}

/** Discards the held deliveries except those at these positions. */
async function discardHeld(tx: Database, queue: Queue, kept: readonly string[]): Promise<void> {
  for (let after = 0; ;) {
    const step = selectHeld(tx, queue)
      .where('queue_position', '>', after)
      .select('queue_position')
      .orderBy('queue_position')
      .limit(discardStep)
    const { last } = await tx
      .selectFrom(step.as('step'))
      .select((eb) => eb.fn.max('queue_position').as('last'))
      .executeTakeFirstOrThrow()
    if (last === null) return
    await tx
      .updateTable('undelivered')
      .set({ state: 'discarded', queue_position: null, due_at: null })
      .where('receiver_id', '=', queue.receiverId)
      .where('repo_id', '=', queue.repoId)
      .where('queue_position', '>', after)
      .where('queue_position', '<=', last)
      .where((eb) => eb.not(isOneOf(tx, sql`cast(queue_position as text)`, kept)))
      .execute()
    after = last
  }
}

/**
 * Updates the queues of a receiver after its waiting deliveries changed: all, or that of one repository. Skips leased
 * queues, because their release updates them too.
 */
export async function wakeQueues(
  tx: Database,
  { receiverId, repoId }: Pick<Queue, 'receiverId'> & Partial<Queue>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('queues')
    .set({ due_at: selectFirstDue(now) })
    .where('receiver_id', '=', receiverId)
    .$if(repoId !== undefined, (query) => query.where('repo_id', '=', repoId ?? ''))
    .where('leased_by', 'is', null)
    .execute()
}

/** When the first delivery of a queue is due; null when none waits. */
export function selectFirstDue(now: Date) {
  return sql<number | null>`(
    select coalesce(undelivered.due_at, ${now.getTime()}) from undelivered
    where undelivered.receiver_id = queues.receiver_id and undelivered.repo_id = queues.repo_id
      and queue_position is not null
    order by queue_position limit 1
  )`
}
