import { isOneOf } from './engine.ts'
import { recordDeletedEvents } from './events/read-events.ts'
import type { Database } from './open-database.ts'

export type Expiry = {
  readonly attemptsBefore: Date
  /** Events are deleted with their deliveries and attempts, delivered or not. */
  readonly eventsBefore: Date
  readonly auditBefore: Date
  /** API keys that were revoked or expired before this time. A key that created others is deleted after them. */
  readonly keysBefore: Date
  /** Maximum number of rows of each kind to delete. An event is deleted after its deliveries, but an attempt with its delivery. */
  readonly limit: number
}

/** Deletes a batch of expired records. Returns their number, without the attempts deleted with a delivery; 0 when none are left. */
export async function deleteExpired(
  db: Database,
  { attemptsBefore, eventsBefore, auditBefore, keysBefore, limit }: Expiry,
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
  const keys = await deleteApiKeys(db, keysBefore, limit)
  return Number(attempts.numDeletedRows + entries.numDeletedRows) + events + keys
}

async function deleteApiKeys(db: Database, before: Date, limit: number): Promise<number> {
  // A key can outlive the key that created it, and revoking an ancestor finds it through that key.
  const creators = db.selectFrom('api_keys').select('created_by').where('created_by', 'is not', null)
  const ended = db
    .selectFrom('api_keys')
    .select('id')
    .where('is_declared', '=', 0)
    .where((eb) => eb.or([eb('revoked_at', '<', before.toISOString()), eb('expires_at', '<', before.getTime())]))
    .where('id', 'not in', creators)
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('api_keys').where('id', 'in', ended).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function deleteEvents(db: Database, before: Date, limit: number): Promise<number> {
  const old = await db
    .selectFrom('events')
    .select(['id', 'org', 'position'])
    .where('created_at', '<', before.getTime())
    .orderBy('created_at')
    .limit(limit)
    .execute()
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  const deliveries = await deleteDeliveries(db, ids, limit)
  if (deliveries === limit) return deliveries
  // First, so that an event stream that misses them can tell that they were deleted.
  await recordDeletedEvents(db, old)
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where(isOneOf(db, 'id', ids))
    .executeTakeFirstOrThrow()
  return deliveries + Number(numDeletedRows)
}

/** Deletes deliveries of these events. An event may have thousands, so that deleting it with them would keep the database busy. */
async function deleteDeliveries(db: Database, eventIds: readonly string[], limit: number): Promise<number> {
  const some = db
    .selectFrom('deliveries')
    .select('id')
    .where(isOneOf(db, 'event_id', eventIds))
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('deliveries').where('id', 'in', some).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
