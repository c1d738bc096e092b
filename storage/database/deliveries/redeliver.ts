import { type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { DeliveryNotFoundError, ReceiverDisabledError } from '../errors.ts'
import { lockRows } from '../engine.ts'
import { wakeQueue } from '../receivers/queue.ts'
import type { Database } from '../open-database.ts'

export type DeliveryAddress = { readonly repoId: string; readonly id: string }

/**
 * Queues a delivery again, whatever its state, before all others of its receiver. If a retry of it is planned, it is sent now instead, and
 * the attempt does not count towards its schedule. A second request before it is sent has no further effect.
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
        // A pending delivery without a due time is due at once: its first attempt, or one that was requested before.
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
