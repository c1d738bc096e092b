// Replays: the deliveries of a period are sent again, in their order. They wait in the queues of their receiver, after
// everything new.
import { sql } from 'kysely'
import { type AuditedRecord, type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { lockRows } from '../engine/engine.ts'
import { ReceiverDisabledError, ReceiverNotFoundError, TooManyDeliveriesError } from '../errors.ts'
import type { Database } from '../open-database.ts'
import { firstReplayPosition, wakeQueues } from '../receivers/queue.ts'
import { findReceiver, type ReceiverAddress, selectReceiver } from '../receivers/receivers.ts'
import { toDate } from '../to-date.ts'

/** Maximum number of deliveries that one replay queues. */
export const maxReplayed = 10_000

export type ReplaySelection = {
  /** Selects events that were recorded at this time or later, and before `until`. */
  readonly since: Date
  readonly until: Date
  /** Whether to send also what the receiver has accepted. */
  readonly all: boolean
}

/** The deliveries of all replays of a receiver that still wait. */
export type ReplayState = {
  readonly waiting: number
  /** When the event that is sent next was recorded; null when none waits. */
  readonly nextEventAt: Date | null
}

/**
 * Queues the deliveries of a receiver that were given up or discarded, with `all` also those that have succeeded. Those
 * that wait already keep their positions.
 *
 * @throws ReceiverNotFoundError, ReceiverDisabledError, TooManyDeliveriesError
 */
export function replay(
  db: Database,
  address: ReceiverAddress,
  { since, until, all }: ReplaySelection,
  options: ChangeOptions,
): Promise<{ readonly queued: number; readonly audit: AuditEntry }> {
  return db.transaction().execute(async (tx) => {
    const { is_enabled } = await lockReceiver(tx, address)
    if (is_enabled === 0) throw new ReceiverDisabledError()
    const selected = tx
      .selectFrom('deliveries')
      .innerJoin('events', 'events.number', 'event_number')
      .leftJoin('undelivered', 'delivery_number', 'deliveries.number')
      .select(['deliveries.number', 'events.repo_id', 'deliveries.receiver_repo_id', 'deliveries.receiver_id'])
      .select(sql.lit('delivered').as('state'))
      .select([
        sql<number>`${sql.lit(firstReplayPosition)} + deliveries.number`.as('queue_position'),
        'deliveries.attempts',
      ])
      .where('deliveries.receiver_id', '=', address.id)
      .where('created_at', '>=', since.getTime())
      .where('created_at', '<', until.getTime())
      .where('queue_position', 'is', null)
      .$if(!all, (query) => query.where('undelivered.state', 'in', ['dead', 'discarded']))
      .limit(maxReplayed + 1)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('undelivered')
      .columns(['delivery_number', 'repo_id', 'receiver_repo_id', 'receiver_id', 'state', 'queue_position', 'attempts'])
      .expression(selected)
      .onConflict((conflict) =>
        conflict.column('delivery_number').doUpdateSet({ queue_position: sql`excluded.queue_position` }),
      )
      .executeTakeFirstOrThrow()
    const queued = Number(numInsertedOrUpdatedRows)
    if (queued > maxReplayed) throw new TooManyDeliveriesError(maxReplayed)
    await wakeQueues(tx, { receiverId: address.id }, options.now)
    const after = { since: since.toISOString(), until: until.toISOString(), all, queued }
    return { queued, audit: await recordAudit(tx, describe(address, 'replay', after), options) }
  })
}

/** Removes the deliveries of all replays from the queues of a receiver. Returns no audit entry when none waited. */
export function cancelReplay(
  db: Database,
  address: ReceiverAddress,
  options: ChangeOptions,
): Promise<AuditEntry | undefined> {
  return db.transaction().execute(async (tx) => {
    await lockReceiver(tx, address)
    const delivered = await tx
      .deleteFrom('undelivered')
      .where('receiver_id', '=', address.id)
      .where('queue_position', '>=', firstReplayPosition)
      .where('state', '=', 'delivered')
      .executeTakeFirstOrThrow()
    const undelivered = await tx
      .updateTable('undelivered')
      .set({ queue_position: null })
      .where('receiver_id', '=', address.id)
      .where('queue_position', '>=', firstReplayPosition)
      .executeTakeFirstOrThrow()
    const cancelled = Number(delivered.numDeletedRows + undelivered.numUpdatedRows)
    if (cancelled === 0) return undefined
    await wakeQueues(tx, { receiverId: address.id }, options.now)
    return recordAudit(tx, describe(address, 'cancel-replay', { cancelled }), options)
  })
}

/** @throws ReceiverNotFoundError */
export async function readReplay(db: Database, address: ReceiverAddress): Promise<ReplayState> {
  if ((await findReceiver(db, address)) === undefined) throw new ReceiverNotFoundError(address)
  const waiting = db
    .selectFrom('undelivered')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('queue_position').as('first')])
    .where('receiver_id', '=', address.id)
    .where('queue_position', '>=', firstReplayPosition)
  const { count, created_at } = await db
    .selectFrom(waiting.as('waiting'))
    .leftJoin('deliveries', (join) =>
      join.on('deliveries.number', '=', sql<number>`waiting.first - ${sql.lit(firstReplayPosition)}`),
    )
    .leftJoin('events', 'events.number', 'event_number')
    .select(['count', 'created_at'])
    .executeTakeFirstOrThrow()
  return { waiting: count, nextEventAt: toDate(created_at) }
}

async function lockReceiver(tx: Database, address: ReceiverAddress) {
  const row = await lockRows(tx, selectReceiver(tx, address)).executeTakeFirst()
  if (row === undefined) throw new ReceiverNotFoundError(address)
  return row
}

function describe({ kind, id, repoId }: ReceiverAddress, action: 'replay' | 'cancel-replay', after: AuditedRecord) {
  return { repoId, action: `${kind}.${action}`, subjectId: id, before: null, after }
}
