// Deletes what has expired, in steps. The candidates of a step are read apart from the transaction that deletes them, so that other changes
// wait only for that.
import { sql } from 'kysely'
import { executeTogether, listRecords } from './engine.ts'
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
  /** Where the step before has ended; undefined for the first. */
  readonly place?: ExpiryPlace | undefined
}

/**
 * The ages, in milliseconds since 1970, at which a step has ended. The next one goes on there: PostgreSQL would read what the steps before
 * have deleted again each time, because its indexes keep that until a vacuum.
 */
export type ExpiryPlace = { readonly attempts: number; readonly events: number; readonly audit: number }

const start: ExpiryPlace = { attempts: 0, events: 0, audit: 0 }

/** `deleted`: number of rows, without those that were deleted with a delivery; 0 when nothing is left to delete. */
export type ExpiryStep = { readonly deleted: number; readonly place: ExpiryPlace }

/** Deletes a batch of expired records. */
export async function deleteExpired(db: Database, expiry: Expiry): Promise<ExpiryStep> {
  const { auditBefore, keysBefore, limit, place = start } = expiry
  const attempts = await deleteAttempts(db, expiry)
  const events = await deleteEvents(db, expiry)
  const oldEntries = db
    .selectFrom('audit')
    .select('id')
    .where('at', '<', auditBefore.getTime())
    .where('at', '>=', place.audit)
    .orderBy('at')
    .limit(limit)
  const entries = await db.deleteFrom('audit').where('id', 'in', oldEntries).returning('at').execute()
  const keys = await deleteApiKeys(db, keysBefore, limit)
  return {
    deleted: attempts.deleted + events.deleted + entries.length + keys,
    place: {
      attempts: attempts.place,
      events: events.place,
      audit: Math.max(place.audit, ...entries.map(({ at }) => at)),
    },
  }
}

/** What became of one kind of records. */
type Part = { readonly deleted: number; readonly place: number }

async function deleteAttempts(db: Database, { attemptsBefore, limit, place = start }: Expiry): Promise<Part> {
  const old = db
    .selectFrom('attempts')
    .select(['delivery_number', 'number'])
    .where('started_at', '<', attemptsBefore.getTime())
    .where('started_at', '>=', place.attempts)
    .orderBy('started_at')
    .limit(limit)
  const rows = await db
    .deleteFrom('attempts')
    .where((eb) => eb(eb.refTuple('delivery_number', 'number'), 'in', old.$asTuple('delivery_number', 'number')))
    .returning('started_at')
    .execute()
  return { deleted: rows.length, place: Math.max(place.attempts, ...rows.map((row) => row.started_at)) }
}

/**
 * Deletes deliveries of the oldest events, and the events that have no others. An event may have thousands of deliveries, so that deleting
 * it with all of them would keep the database busy.
 */
async function deleteEvents(db: Database, { eventsBefore, limit, place = start }: Expiry): Promise<Part> {
  const rows = await db
    .selectFrom('events')
    .leftJoin('deliveries', 'event_number', 'events.number')
    .select(['events.number', 'created_at', 'org', 'position', 'deliveries.number as delivery'])
    .where('created_at', '<', eventsBefore.getTime())
    .where('created_at', '>=', place.events)
    .orderBy('created_at')
    .orderBy('events.number')
    .limit(limit)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return { deleted: 0, place: place.events }
  const deliveries = rows.flatMap(({ delivery }) => (delivery === null ? [] : [{ number: delivery }]))
  // The last event may have more deliveries than were read.
  const whole = new Map(rows.map((row) => [row.number, row]))
  if (rows.length === limit && last.delivery !== null) whole.delete(last.number)
  const remove = (table: 'deliveries' | 'events', numbers: readonly { readonly number: number }[]) =>
    sql<{ number: number }>`
      delete from ${sql.table(table)} where number in (
        select cast(item.value ->> 'number' as bigint) from ${listRecords(db, numbers)}
      ) returning number`.compile(db)
  const deleted = await executeTogether(db, {
    deliveries: remove('deliveries', deliveries),
    events: remove('events', [...whole.values()]),
    noted: recordDeletedEvents(db, [...whole.values()]),
  })
  return { deleted: deleted.deliveries.length + deleted.events.length, place: last.created_at }
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
