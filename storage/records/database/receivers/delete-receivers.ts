// Receivers are deleted in two parts. Their rows and queues are deleted at once: then nobody reads the receivers, and
// nothing is sent to them. Their deliveries, which can be millions, are deleted by the clean-up, in small steps.
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'

/** Deletes receivers, and has the clean-up delete their deliveries. */
export async function deleteReceivers(tx: Database, ids: readonly string[]): Promise<void> {
  const existing = tx
    .selectFrom('receivers')
    .select('id')
    .where(isOneOf(tx, 'id', ids))
  await tx.insertInto('deleted_receivers').columns(['id']).expression(existing).execute()
  await tx
    .deleteFrom('receivers')
    .where(isOneOf(tx, 'id', ids))
    .execute()
}

/** The event of the last delivery that a step deleted, and the receiver. */
export type DeletionCursor = { readonly receiverId: string; readonly event: number }

/** `deleted`: number of rows, without attempts; 0 when nothing is left to delete. */
type DeletionStep = { readonly deleted: number; readonly cursor: DeletionCursor | undefined }

/** Deletes up to `limit` deliveries of a deleted receiver. */
export async function deleteLeftDeliveries(
  db: Database,
  { limit, cursor }: { readonly limit: number; readonly cursor: DeletionCursor | undefined },
): Promise<DeletionStep> {
  const receiver = await db.selectFrom('deleted_receivers').select('id').orderBy('id').limit(1).executeTakeFirst()
  if (receiver === undefined) return { deleted: 0, cursor }
  const { id: receiverId } = receiver
  const first = cursor?.receiverId === receiverId ? cursor.event : 0
  const ofReceiver = db.selectFrom('deliveries').select('number').where('receiver_id', '=', receiverId)
  const oldest = ofReceiver.where('event_number', '>=', first).orderBy('event_number').limit(limit)
  const rows = await db.deleteFrom('deliveries').where('number', 'in', oldest).returning('event_number').execute()
  const last = Math.max(first, ...rows.map(({ event_number }) => event_number))
  if (rows.length > 0) return { deleted: rows.length, cursor: { receiverId, event: last } }
  // If another process deletes these deliveries now, later ones may be left.
  const { numDeletedRows } = await db
    .deleteFrom('deleted_receivers')
    .where('id', '=', receiverId)
    .where((eb) => eb.not(eb.exists(ofReceiver)))
    .executeTakeFirstOrThrow()
  return { deleted: Number(numDeletedRows), cursor: undefined }
}
