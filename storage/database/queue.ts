// The queue of a receiver: which of its deliveries wait, and when the first of them is due. Code that changes the waiting deliveries
// calls one of these functions, which update the receiver's `due_at`.
import { sql } from 'kysely'
import type { Database } from './open-database.ts'

/** Which held deliveries are sent when a receiver is enabled again; the others are discarded. */
export type Resume = 'all' | 'latest' | 'none'

/** Makes the held deliveries that `resume` keeps due at once, and discards the others. The receiver's row must be locked. */
export async function resumeQueue(tx: Database, receiverId: string, resume: Resume, now: Date): Promise<void> {
  const held = tx
    .updateTable('deliveries')
    .where('receiver_id', '=', receiverId)
    .where('state', '=', 'pending')
    .where('turn', 'is not', null)
  if (resume !== 'all') {
    const latest = tx
      .selectFrom('deliveries')
      .select((eb) => eb.fn.max('turn').as('turn'))
      .where('receiver_id', '=', receiverId)
      .where('state', '=', 'pending')
    await held
      .set({ state: 'discarded', turn: null, due_at: null })
      .$if(resume === 'latest', (update) => update.where('turn', '<', latest))
      .execute()
  }
  await held.set({ due_at: null }).execute()
  await wakeQueue(tx, receiverId, now)
}

/** Updates a queue after its waiting deliveries have changed. Does not touch a leased queue, because releasing it updates it too. */
export async function wakeQueue(tx: Database, receiverId: string, now: Date): Promise<void> {
  await tx
    .updateTable('receivers')
    .set({ lease_token: null, due_at: selectFirstDue(now) })
    .where('id', '=', receiverId)
    .where((eb) => eb.or([eb('lease_token', 'is', null), eb('due_at', '<=', now.getTime())]))
    .execute()
}

/** Ends the leases of queues after an attempt. Other queues that are already due go before the next deliveries of these. */
export async function releaseQueues(tx: Database, receiverIds: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('receivers')
    .set({ lease_token: null, due_at: selectFirstDue(now) })
    .where('id', 'in', receiverIds)
    .execute()
}

function selectFirstDue(now: Date) {
  return sql<number | null>`(
    select coalesce(due_at, ${now.getTime()}) from deliveries
    where receiver_id = receivers.id and turn is not null order by turn limit 1
  )`
}
