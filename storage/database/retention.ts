import { isOneOf } from './engine.ts'
import { noteDeletedEvents } from './events.ts'
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
  const events = await deleteEvents(db, eventsBefore, limit)
  const oldEntries = db.selectFrom('audit').select('id').where('at', '<', auditBefore.getTime())
  const entries = await db
    .deleteFrom('audit')
    .where('id', 'in', oldEntries.orderBy('at').limit(limit))
    .executeTakeFirst()
  return Number(attempts.numDeletedRows + entries.numDeletedRows) + events
}

/** @returns the number of events deleted */
async function deleteEvents(db: Database, before: Date, limit: number): Promise<number> {
  const old = await db
    .selectFrom('events')
    .select(['id', 'org', 'position'])
    .where('created_at', '<', before.getTime())
    .orderBy('created_at')
    .limit(limit)
    .execute()
  if (old.length === 0) return 0
  // First, so that a stream which finds them gone also finds out why.
  await noteDeletedEvents(db, old)
  const ids = old.map(({ id }) => id)
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where(isOneOf(db, 'id', ids))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
