import { type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { DeliveryNotFoundError, ReceiverDisabledError } from '../errors.ts'
import { lockRows } from '../engine.ts'
import { wakeQueue } from '../receivers/queue.ts'
import type { Database } from '../open-database.ts'

export type DeliveryAddress = { readonly repoId: string; readonly id: string }

/**
 * Queues a delivery again, before all others of its receiver. Its state does not matter. A delivery that waits for its next attempt is
 * sent as soon as its turn comes, which costs none of its attempts. Asking twice before it is sent has the same effect as asking once.
 *
 * @throws DeliveryNotFoundError, ReceiverDisabledError
 */
export async function redeliver(
  db: Database,
  { repoId, id }: DeliveryAddress,
  { by, now }: ChangeOptions,
): Promise<AuditEntry> {
  return db.transaction().execute(async (tx) => {
    const query = tx.selectFrom('receivers').select(['id', 'is_enabled'])
    const owner = tx.selectFrom('deliveries').select('receiver_id').where('id', '=', id).where('repo_id', '=', repoId)
    const receiver = await lockRows(tx, query.where('id', '=', owner)).executeTakeFirst()
    if (receiver === undefined) throw new DeliveryNotFoundError(id)
    if (receiver.is_enabled === 0) throw new ReceiverDisabledError()
    await tx
      .updateTable('deliveries')
      .set((eb) => {
        // Without this time, it is due at once: no request is needed for that, or there was one already.
        const isPlanned = eb.and([eb('state', '=', 'pending'), eb('due_at', 'is not', null)])
        const extra = eb.case().when(isPlanned).then(1).else(0).end()
        return {
          due_at: null,
          turn: eb.fn.coalesce('turn', eb.val(0)),
          extra_attempts: eb('extra_attempts', '+', extra),
        }
      })
      .where('id', '=', id)
      .execute()
    await wakeQueue(tx, receiver.id, now)
    const what = { action: 'delivery.redeliver', subjectId: id, before: null, after: null }
    return recordAudit(tx, { org: by.org, repoId, keyId: by.id, ...what }, now)
  })
}
