import { sql } from 'kysely'
import { type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { lockRows } from '../engine/engine.ts'
import { explainDisabledReceiver, explainMissingDelivery } from '../record-problem.ts'
import type { Database } from '../open-database.ts'
import { firstReplayPosition, wakeQueues } from '../receivers/queue.ts'
import type { ReceiverOwner } from '../receivers/receivers.ts'
import { transact } from '../transact.ts'
import { carryingNumber } from './stored-delivery.ts'

export type DeliveryAddress = ReceiverOwner & { readonly id: string }

/**
 * Queues a delivery again, before all others of its receiver and repository. If a retry of it is planned, it is sent
 * now instead, and the attempt does not count towards its schedule. Changes nothing if the delivery waits for an
 * earlier one, whose order must stay, or for its digest, if it is under way, or if it was requested before. A delivery
 * that a digest carries is sent again with its digest.
 *
 * @throws RecordProblem
 */
export async function redeliver(
  db: Database,
  { org, repoId, id }: DeliveryAddress,
  options: ChangeOptions,
): Promise<AuditEntry> {
  return transact(db, async (tx) => {
    const delivery = tx
      .selectFrom('receivers')
      .innerJoin('deliveries', 'deliveries.receiver_id', 'receivers.id')
      .innerJoin('events', 'events.number', 'event_number')
      .leftJoin('queues', (join) =>
        join.onRef('queues.receiver_id', '=', 'receivers.id').onRef('queues.repo_id', '=', 'events.repo_id'),
      )
      .select(['receivers.id as receiverId', 'events.repo_id as repoId', 'receivers.repo_id as ownerId', 'is_enabled'])
      .select(['leased_by', 'deliveries.number'])
      .where('deliveries.number', '=', sql<number>`(select ${carryingNumber} from deliveries where id = ${id})`)
      .where('receivers.org', '=', org)
      .$if(repoId !== null, (query) => query.where('receivers.repo_id', '=', repoId))
    const queue = await lockRows(tx, delivery, 'receivers').executeTakeFirst()
    if (queue === undefined) throw explainMissingDelivery(id)
    if (queue.is_enabled === 0) throw explainDisabledReceiver()
    // A pending delivery without a due time is due at once: its first attempt, or one that was requested before. If its
    // queue is leased, its planned retry is under way, except after a redelivery; then the retry counts as usual.
    const requested = queue.leased_by === null ? 1 : 0
    await sql`
      insert into undelivered
        (delivery_number, repo_id, org, receiver_repo_id, receiver_id, state, queue_position, attempts)
      select number, ${queue.repoId}, org, receiver_repo_id, receiver_id, 'delivered', 0, attempts
      from deliveries where number = ${queue.number}
      on conflict (delivery_number) do update set
        due_at = null,
        queue_position = case
          when undelivered.queue_position < ${firstReplayPosition} then undelivered.queue_position else 0
        end,
        extra_attempts = undelivered.extra_attempts
          + case when undelivered.state = 'pending' and undelivered.due_at is not null then ${requested} else 0 end
      `.execute(tx)
    await wakeQueues(tx, queue, options.now)
    const change = { repoId: queue.ownerId, action: 'delivery.redeliver', subjectId: id, before: null, after: null }
    return recordAudit(tx, change, options)
  })
}
