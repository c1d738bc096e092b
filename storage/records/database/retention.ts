// Deletes expired records, and what deleted receivers have left, in steps. The events of a step are read before the
// transaction that deletes them, so that other changes wait only for the deletion.
import { sql } from 'kysely'
import { recordDeletedEvents } from './events/read-events.ts'
import { executeTogether } from './engine/execute-together.ts'
import type { Database } from './open-database.ts'
import { rowsOf } from './engine/rows-of.ts'
import { recordDeletedSequences } from './heads/last-sequence.ts'
import { deleteEmptyQueues } from './receivers/delete-queues.ts'
import { deleteExpiredSessions } from './sessions.ts'
import { deleteLeftDeliveries, type DeletionCursor } from './receivers/delete-receivers.ts'

export type Expiry = {
  readonly attemptsBefore: Date
  /** Events are deleted with their deliveries and attempts, delivered or not. */
  readonly eventsBefore: Date
  readonly auditBefore: Date
  /** API keys that were revoked or expired before this time. A key that created others is deleted after them. */
  readonly keysBefore: Date
  /** Sessions and authorizations that expired before this time. */
  readonly sessionsBefore: Date
  /**
   * Maximum number of rows of each kind to delete. Attempts that are deleted with their delivery do not count. An event
   * is deleted after all its deliveries.
   */
  readonly limit: number
  /** The cursor that the previous step returned; undefined for the first. */
  readonly cursor?: ExpiryCursor | undefined
}

/**
 * The times, in milliseconds since 1970, of the last records that a step deleted, and its last delivery to a deleted
 * receiver. The next step continues there: otherwise PostgreSQL would read all deleted records again, because its
 * indexes keep them until a vacuum.
 */
export type ExpiryCursor = {
  readonly attempts: number
  readonly events: number
  readonly audit: number
  readonly left: DeletionCursor | undefined
}

const start: ExpiryCursor = { attempts: 0, events: 0, audit: 0, left: undefined }

/** `deleted`: number of rows, without those that were deleted with a delivery; 0 when nothing is left to delete. */
export type ExpiryStep = { readonly deleted: number; readonly cursor: ExpiryCursor }

/** Deletes a batch of expired records and of deliveries to deleted receivers. */
export async function deleteExpired(db: Database, expiry: Expiry): Promise<ExpiryStep> {
  const { auditBefore, keysBefore, sessionsBefore, limit, cursor = start } = expiry
  const attempts = await deleteAttempts(db, expiry)
  const events = await deleteEvents(db, expiry)
  const oldEntries = db
    .selectFrom('audit')
    .select('id')
    .where('at', '<', auditBefore.getTime())
    .where('at', '>=', cursor.audit)
    .orderBy('at')
    .limit(limit)
  const entries = await db.deleteFrom('audit').where('id', 'in', oldEntries).returning('at').execute()
  const authorizations = await deleteAuthorizations(db, sessionsBefore, limit)
  const keys = await deleteApiKeys(db, keysBefore, limit)
  const sessions = await deleteExpiredSessions(db, sessionsBefore, limit)
  const left = await deleteLeftDeliveries(db, { limit, cursor: cursor.left })
  return {
    deleted: attempts.deleted + events.deleted + entries.length + authorizations + keys + sessions + left.deleted,
    cursor: {
      attempts: attempts.lastAt,
      events: events.lastAt,
      audit: Math.max(cursor.audit, ...entries.map(({ at }) => at)),
      left: left.cursor,
    },
  }
}

/** Records of one kind that a step deleted, and the time of the last. */
type Deletion = { readonly deleted: number; readonly lastAt: number }

async function deleteAttempts(db: Database, { attemptsBefore, limit, cursor = start }: Expiry): Promise<Deletion> {
  const old = db
    .selectFrom('attempts')
    .select(['delivery_number', 'number'])
    .where('started_at', '<', attemptsBefore.getTime())
    .where('started_at', '>=', cursor.attempts)
    .orderBy('started_at')
    .limit(limit)
  const rows = await db
    .deleteFrom('attempts')
    .where((eb) => eb(eb.refTuple('delivery_number', 'number'), 'in', old.$asTuple('delivery_number', 'number')))
    .returning('started_at')
    .execute()
  return { deleted: rows.length, lastAt: Math.max(cursor.attempts, ...rows.map((row) => row.started_at)) }
}

/**
 * Deletes deliveries of the oldest events, the events that have no others, and the queues of repositories without
 * events. An event may have thousands of
 * deliveries, so that deleting it with all of them would keep the database busy.
 */
async function deleteEvents(db: Database, { eventsBefore, limit, cursor = start }: Expiry): Promise<Deletion> {
  const rows = await db
    .selectFrom('events')
    .leftJoin('deliveries', 'event_number', 'events.number')
    .select(['events.number', 'events.repo_id', 'sequence', 'created_at', 'events.org', 'position'])
    .select('deliveries.number as delivery')
    .where('created_at', '<', eventsBefore.getTime())
    .where('created_at', '>=', cursor.events)
    .orderBy('created_at')
    .orderBy('events.number')
    .limit(limit)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return { deleted: 0, lastAt: cursor.events }
  const deliveries = rows.flatMap(({ delivery }) => (delivery === null ? [] : [{ number: delivery }]))
  // The last event may have more deliveries than were read.
  const whole = new Map(rows.map((row) => [row.number, row]))
  if (rows.length === limit && last.delivery !== null) whole.delete(last.number)
  const remove = (table: 'deliveries' | 'events', numbers: readonly { readonly number: number }[]) =>
    sql<{ number: number }>`
      delete from ${sql.table(table)} where number in (
        select rows.number from ${rowsOf(db, numbers, { number: 'bigint' })}
      ) returning number`.compile(db)
  const deleted = await executeTogether(db, {
    sequences: recordDeletedSequences(db, [...whole.values()]),
    deliveries: remove('deliveries', deliveries),
    events: remove('events', [...whole.values()]),
    recorded: recordDeletedEvents(db, [...whole.values()]),
  })
  await deleteEmptyQueues(db, [...new Set(Array.from(whole.values(), (event) => event.repo_id))])
  return { deleted: deleted.deliveries.length + deleted.events.length, lastAt: last.created_at }
}

async function deleteAuthorizations(db: Database, before: Date, limit: number): Promise<number> {
  const expired = db.selectFrom('authorizations').select('id').where('expires_at', '<', before.getTime()).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('authorizations').where('id', 'in', expired).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function deleteApiKeys(db: Database, before: Date, limit: number): Promise<number> {
  // A key can outlive the key that created it, and revoking an ancestor finds it through that key.
  const creators = db.selectFrom('api_keys').select('created_by').where('created_by', 'is not', null)
  const invalid = db
    .selectFrom('api_keys')
    .select('id')
    .where('is_declared', '=', 0)
    .where((eb) => eb.or([eb('revoked_at', '<', before.getTime()), eb('expires_at', '<', before.getTime())]))
    .where('id', 'not in', creators)
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('api_keys').where('id', 'in', invalid).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
