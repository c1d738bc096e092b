import { type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { DeliveryNotFoundError, ReceiverDisabledError } from '../errors.ts'
import { lockRows } from '../engine.ts'
import { firstReplayTurn, wakeQueues } from '../receivers/queue.ts'
import type { ReceiverOwner } from '../receivers/receivers.ts'
import { sql } from 'kysely'
import type { Database } from '../open-database.ts'

export type DeliveryAddress = ReceiverOwner & { readonly id: string }

/**
 * Queues a delivery again, whatever its state, before all others of its receiver. If a retry of it is planned, it is sent now instead, and
 * the attempt does not count towards its schedule. A second request before it is sent has no further effect.
 *
 * @throws DeliveryNotFoundError, ReceiverDisabledError
 */
export async function redeliver(
  db: Database,
  { org, repoId, id }: DeliveryAddress,
  options: ChangeOptions,
): Promise<AuditEntry> {
  return db.transaction().execute(async (tx) => {
    const delivery = tx
      .selectFrom('receivers')
      .innerJoin('deliveries', 'deliveries.receiver_id', 'receivers.id')
      .select(['receivers.id as receiverId', 'deliveries.repo_id as repoId', 'is_enabled'])
      .where('deliveries.id', '=', id)
      .where('org', '=', org)
      .$if(repoId !== null, (query) => query.where('deliveries.repo_id', '=', repoId))
    const queue = await lockRows(tx, delivery, 'receivers').executeTakeFirst()
    if (queue === undefined) throw new DeliveryNotFoundError(id)
    if (queue.is_enabled === 0) throw new ReceiverDisabledError()
    // A pending delivery without a due time is due at once: its first attempt, or one that was requested before.
    await sql`
      insert into undelivered (delivery_number, repo_id, receiver_id, state, turn, attempts)
      select number, repo_id, receiver_id, 'delivered', 0, attempts from deliveries where id = ${id}
      on conflict (delivery_number) do update set
        due_at = null,
        turn = case when undelivered.turn < ${firstReplayTurn} then undelivered.turn else 0 end,
        extra_attempts = undelivered.extra_attempts
          + case when undelivered.state = 'pending' and undelivered.due_at is not null then 1 else 0 end`.execute(tx)
    await wakeQueues(tx, queue, options.now)
    const change = { repoId: queue.repoId, action: 'delivery.redeliver', subjectId: id, before: null, after: null }
    return recordAudit(tx, change, options)
  })
}
