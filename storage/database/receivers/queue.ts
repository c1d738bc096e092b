// The queue of a receiver: its waiting deliveries, and when the first of them is due. Code that changes the waiting deliveries must call
// one of these functions, which update the receiver's `due_at`.
import { sql } from 'kysely'
import type { Database } from '../open-database.ts'

/** Which held deliveries are sent when a receiver is enabled again; the others are discarded. */
export type Resume = 'all' | 'latest' | 'none'

/**
 * Number of turns that one statement discards. A receiver that is disabled for months can have more than a hundred thousand held deliveries,
 * and one statement for all of them could exceed the time limit of the database.
 */
const discardStep = 1_000

/** Makes the held deliveries that `resume` selects due now, and discards the others. The receiver's row must be locked. */
export async function resumeQueue(tx: Database, receiverId: string, resume: Resume, now: Date): Promise<void> {
  if (resume !== 'all') {
    const { latest } = await selectHeld(tx, receiverId)
      .select((eb) => eb.fn.max('turn').as('latest'))
      .executeTakeFirstOrThrow()
    if (latest !== null) await discardHeld(tx, receiverId, resume === 'latest' ? latest : latest + 1)
  }
  await tx
    .updateTable('undelivered')
    .set({ due_at: null })
    .where('receiver_id', '=', receiverId)
    .where('turn', '>', 0)
    .where('due_at', 'is not', null)
    .execute()
  await wakeQueue(tx, receiverId, now)
}

/** Selects the held deliveries. Redeliveries, whose turn is 0, are never held. */
function selectHeld(tx: Database, receiverId: string) {
  return tx.selectFrom('undelivered').where('receiver_id', '=', receiverId).where('turn', '>', 0)
}

/** Discards the deliveries with a lower turn. */
async function discardHeld(tx: Database, receiverId: string, before: number): Promise<void> {
  for (let from = 1; ;) {
    const { first } = await selectHeld(tx, receiverId)
      .where('turn', '>=', from)
      .where('turn', '<', before)
      .select((eb) => eb.fn.min('turn').as('first'))
      .executeTakeFirstOrThrow()
    if (first === null) return
    from = first + discardStep
    await tx
      .updateTable('undelivered')
      .set({ state: 'discarded', turn: null, due_at: null })
      .where('receiver_id', '=', receiverId)
      .where('turn', '>=', first)
      .where('turn', '<', Math.min(from, before))
      .execute()
  }
}

/** Updates a queue after its waiting deliveries changed. Skips a leased queue, because its release updates it too. */
export async function wakeQueue(tx: Database, receiverId: string, now: Date): Promise<void> {
  await tx
    .updateTable('receivers')
    .set({ lease_token: null, due_at: selectFirstDue(now) })
    .where('id', '=', receiverId)
    .where((eb) => eb.or([eb('lease_token', 'is', null), eb('due_at', '<=', now.getTime())]))
    .execute()
}

/** When the first delivery of a queue is due; null when none waits. */
export function selectFirstDue(now: Date) {
  return sql<number | null>`(
    select coalesce(due_at, ${now.getTime()}) from undelivered
    where receiver_id = receivers.id and turn is not null order by turn limit 1
  )`
}
