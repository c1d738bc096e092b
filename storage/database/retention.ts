import type { Database } from './open-database.ts'

/** Which records are deleted: those older than these times. */
export type Expiry = {
  readonly attemptsBefore: Date
  /** Events are deleted with their deliveries and attempts, delivered or not. */
  readonly eventsBefore: Date
  readonly auditBefore: Date
  /** The most rows of each kind to delete at once. */
  readonly limit: number
}

/** Deletes some of the expired records. Returns the number of attempts, events and audit entries deleted; 0 when none is left. */
export async function deleteExpired(
  db: Database,
  { attemptsBefore, eventsBefore, auditBefore, limit }: Expiry,
): Promise<number> {
  const oldAttempts = db
    .selectFrom('attempts')
    .select(['delivery_id', 'number'])
    .where('started_at', '<', attemptsBefore.getTime())
    .orderBy('started_at')
    .limit(limit)
  const attempts = await db
    .deleteFrom('attempts')
    .where((eb) => eb(eb.refTuple('delivery_id', 'number'), 'in', oldAttempts.$asTuple('delivery_id', 'number')))
    .executeTakeFirst()
  const oldEvents = db.selectFrom('events').select('id').where('created_at', '<', eventsBefore.getTime())
  const events = await db
    .deleteFrom('events')
    .where('id', 'in', oldEvents.orderBy('created_at').limit(limit))
    .executeTakeFirst()
  const oldEntries = db.selectFrom('audit').select('id').where('at', '<', auditBefore.getTime())
  const entries = await db
    .deleteFrom('audit')
    .where('id', 'in', oldEntries.orderBy('at').limit(limit))
    .executeTakeFirst()
  return Number(attempts.numDeletedRows + events.numDeletedRows + entries.numDeletedRows)
}
