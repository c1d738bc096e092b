// Replays: the deliveries of a time are sent again, in their order. They wait in the queue of their receiver, after everything new.
import { sql } from 'kysely'
import { type AuditedRecord, type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { lockRows } from '../engine.ts'
import { ReceiverDisabledError, ReceiverNotFoundError, TooManyDeliveriesError } from '../errors.ts'
import type { Database } from '../open-database.ts'
import { firstReplayTurn, wakeQueues } from '../receivers/queue.ts'
import { findReceiver, type ReceiverAddress, selectReceiver, toDate } from '../receivers/receivers.ts'

/** Maximum number of deliveries that one replay queues. */
export const maxReplayed = 10_000

export type ReplaySelection = {
  /** Selects events that were recorded at this time or later, and before `until`. */
  readonly since: Date
  readonly until: Date
  /** Whether to send also what the receiver has accepted. */
  readonly all: boolean
}

/** What waits to be sent again to a receiver, of all its replays. */
export type ReplayState = {
  readonly waiting: number
  /** When the event that is sent next was recorded; null when none waits. */
  readonly nextEventAt: Date | null
}

/**
 * Queues the deliveries of a receiver that were given up or discarded, with `all` also those that have arrived. Those that wait already stay
 * where they are.
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
      .select(['deliveries.number', 'deliveries.repo_id', 'deliveries.receiver_id', sql.lit('delivered').as('state')])
      .select([sql<number>`${sql.lit(firstReplayTurn)} + deliveries.number`.as('turn'), 'deliveries.attempts'])
      .where('deliveries.receiver_id', '=', address.id)
      .where('created_at', '>=', since.getTime())
      .where('created_at', '<', until.getTime())
      .where('turn', 'is', null)
      .$if(!all, (query) => query.where('undelivered.state', 'in', ['dead', 'discarded']))
      .limit(maxReplayed + 1)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('undelivered')
      .columns(['delivery_number', 'repo_id', 'receiver_id', 'state', 'turn', 'attempts'])
      .expression(selected)
      .onConflict((conflict) => conflict.column('delivery_number').doUpdateSet({ turn: sql`excluded.turn` }))
      .executeTakeFirstOrThrow()
    const queued = Number(numInsertedOrUpdatedRows)
    if (queued > maxReplayed) throw new TooManyDeliveriesError(maxReplayed)
    await wakeQueues(tx, { receiverId: address.id }, options.now)
    const after = { since: since.toISOString(), until: until.toISOString(), all, queued }
    return { queued, audit: await recordAudit(tx, describe(address, 'replay', after), options) }
  })
}

/** Takes what waits to be sent again from the queue. Returns no audit entry when nothing waited. */
export function cancelReplay(
  db: Database,
  address: ReceiverAddress,
  options: ChangeOptions,
): Promise<AuditEntry | undefined> {
  return db.transaction().execute(async (tx) => {
    await lockReceiver(tx, address)
    const arrived = await tx
      .deleteFrom('undelivered')
      .where('receiver_id', '=', address.id)
      .where('turn', '>=', firstReplayTurn)
      .where('state', '=', 'delivered')
      .executeTakeFirstOrThrow()
    const others = await tx
      .updateTable('undelivered')
      .set({ turn: null })
      .where('receiver_id', '=', address.id)
      .where('turn', '>=', firstReplayTurn)
      .executeTakeFirstOrThrow()
    const cancelled = Number(arrived.numDeletedRows + others.numUpdatedRows)
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
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('turn').as('first')])
    .where('receiver_id', '=', address.id)
    .where('turn', '>=', firstReplayTurn)
  const { count, created_at } = await db
    .selectFrom(waiting.as('waiting'))
    .leftJoin('deliveries', (join) =>
      join.on('deliveries.number', '=', sql<number>`waiting.first - ${sql.lit(firstReplayTurn)}`),
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
