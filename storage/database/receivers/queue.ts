// The queues of a receiver, one for each repository: their waiting deliveries, and when the first of them is due. Code that changes the
// waiting deliveries must call one of these functions, which update `due_at` of the queues.
import { sql, type SqlBool } from 'kysely'
import { isOneOf } from '../engine.ts'
import type { Database } from '../open-database.ts'

/** Which held deliveries are sent when a receiver is enabled again; the others are discarded. `latest`: the last of each branch and tag, and the last notice. */
export type Resume = 'all' | 'latest' | 'none'

/** The turn of a replayed delivery is this and its number, so that replays follow everything else in their queue, oldest first. */
export const firstReplayTurn = 2 ** 50

/** Whether an administrator requested the delivery with this turn: a redelivery, whose turn is 0, or a replay. */
export function isRequested(turn: number | null): boolean {
  return turn !== null && (turn === 0 || turn >= firstReplayTurn)
}

/** Whether a delivery has the turn of its number: it waits since it was recorded, and is held while its receiver is disabled. */
export const hasOwnTurn = sql<SqlBool>`(turn > 0 and turn < ${sql.lit(firstReplayTurn)})`

/**
 * Number of deliveries that one statement discards. A receiver that is disabled for months can have more than a hundred thousand held
 * deliveries, and one statement for all of them could exceed the time limit of the database.
 */
const discardStep = 1_000

/** Makes the held deliveries that `resume` selects due now, and discards the others. The receiver's row must be locked. */
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
    .where(hasOwnTurn)
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
    .where(hasOwnTurn)
}

/** Lists the turns of the last held delivery of each branch and tag, and of notices. */
async function listLatest(tx: Database, queue: Queue): Promise<readonly string[]> {
  const rows = await selectHeld(tx, queue)
    .innerJoin('deliveries', 'deliveries.number', 'delivery_number')
    .innerJoin('events', 'events.number', 'event_number')
    .select((eb) => eb.fn.max('turn').as('latest'))
    .groupBy('ref')
    .execute()
  return rows.map(({ latest }) => String(latest))
}

/** Discards the held deliveries except those with these turns. */
async function discardHeld(tx: Database, queue: Queue, kept: readonly string[]): Promise<void> {
  for (let after = 0; ;) {
    const step = selectHeld(tx, queue).where('turn', '>', after).select('turn').orderBy('turn').limit(discardStep)
    const { last } = await tx
      .selectFrom(step.as('step'))
      .select((eb) => eb.fn.max('turn').as('last'))
      .executeTakeFirstOrThrow()
    if (last === null) return
    await tx
      .updateTable('undelivered')
      .set({ state: 'discarded', turn: null, due_at: null })
      .where('receiver_id', '=', queue.receiverId)
      .where('repo_id', '=', queue.repoId)
      .where('turn', '>', after)
      .where('turn', '<=', last)
      .where((eb) => eb.not(isOneOf(tx, sql`cast(turn as text)`, kept)))
      .execute()
    after = last
  }
}

/**
 * Updates the queues of a receiver after its waiting deliveries changed: all, or that of one repository. Skips leased queues, because their
 * release updates them too.
 */
export async function wakeQueues(
  tx: Database,
  { receiverId, repoId }: Pick<Queue, 'receiverId'> & Partial<Queue>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('queues')
    .set({ lease_token: null, due_at: selectFirstDue(now) })
    .where('receiver_id', '=', receiverId)
    .$if(repoId !== undefined, (query) => query.where('repo_id', '=', repoId ?? ''))
    .where((eb) => eb.or([eb('lease_token', 'is', null), eb('due_at', '<=', now.getTime())]))
    .execute()
}

/** When the first delivery of a queue is due; null when none waits. */
export function selectFirstDue(now: Date) {
  return sql<number | null>`(
    select coalesce(undelivered.due_at, ${now.getTime()}) from undelivered
    where undelivered.receiver_id = queues.receiver_id and undelivered.repo_id = queues.repo_id and turn is not null
    order by turn limit 1
  )`
}
