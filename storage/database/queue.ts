// The queue of a receiver: which deliveries wait, and when the first of them is due. Whoever changes either keeps `due_at` of the
// receiver true with these.
import { sql } from 'kysely'
import type { Database } from './open-database.ts'

/** What becomes of held deliveries when a receiver is enabled again; those left out are discarded. */
export type Resume = 'all' | 'latest' | 'none'

/** As a receiver is enabled: held deliveries that `resume` keeps are due at once. Its row is locked. */
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

/** After a change of the deliveries that wait. A queue from which one is being delivered is left alone: its holder releases it. */
export async function wakeQueue(tx: Database, receiverId: string, now: Date): Promise<void> {
  await tx
    .updateTable('receivers')
    .set({ lease_token: null, due_at: selectFirstDue(now) })
    .where('id', '=', receiverId)
    .where((eb) => eb.or([eb('lease_token', 'is', null), eb('due_at', '<=', now.getTime())]))
    .execute()
}

/** Gives the queues back after an attempt. Their next deliveries go behind those of other queues that are due. */
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
