// Replays: the deliveries of a period are sent again, in their order. They wait in the queues of their receiver, after
// everything new.
import { sql } from 'kysely'
import { type AuditedRecord, type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { isOneOf, lockRows } from '../engine/engine.ts'
import { rowsOf } from '../engine/rows-of.ts'
import { ReceiverDisabledError, ReceiverNotFoundError, TooManyDeliveriesError } from '../errors.ts'
import { newOrderedId } from '../events/ordered-id.ts'
import type { Database } from '../open-database.ts'
import { firstReplayPosition, wakeQueues } from '../receivers/queue.ts'
import { findReceiver, type ReceiverAddress, type ReceiverRow, selectReceiver } from '../receivers/receivers.ts'
import { toDate } from '../to-date.ts'
import { transact } from '../transact.ts'

/** Maximum number of deliveries that one replay queues. */
export const maxReplayed = 10_000

export type ReplaySelection = {
  /** Selects events that were recorded at this time or later, and before `until`. */
  readonly since: Date
  readonly until: Date
  /** Whether to send also what the receiver has accepted. */
  readonly all: boolean
  /** Whether to send copies with ids of their own, which a receiver that ignores known ids takes. */
  readonly asNew: boolean
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
  selection: ReplaySelection,
  options: ChangeOptions,
): Promise<{ readonly queued: number; readonly audit: AuditEntry }> {
  return transact(db, async (tx) => {
    const receiver = await lockReceiver(tx, address)
    if (receiver.is_enabled === 0) throw new ReceiverDisabledError()
    const { since, until, all, asNew } = selection
    const originals = selectOriginals(tx, address, selection)
    const queued = asNew ? await queueCopies(tx, originals, options.now) : await queueAgain(tx, originals)
    if (queued > maxReplayed) throw new TooManyDeliveriesError(maxReplayed)
    await wakeQueues(tx, { receiverId: address.id }, options.now)
    const after = { since: since.toISOString(), until: until.toISOString(), all, as_new: asNew, queued }
    return { queued, audit: await recordAudit(tx, describe(receiver, 'replay', after), options) }
  })
}

/** Selects the deliveries to replay, at most one more than a replay may have. Copies are not among them. */
function selectOriginals(tx: Database, { id }: ReceiverAddress, { since, until, all }: ReplaySelection) {
  // The index of deliveries by receiver has the numbers of their events, but not their times. Materialized, because
  // PostgreSQL may otherwise search for the lowest number among all events.
  const findNumber = (aggregate: 'min' | 'max') => sql<number>`(
    with period as materialized (
      select number from events where created_at >= ${since.getTime()} and created_at < ${until.getTime()}
    )
    select ${sql.raw(aggregate)}(number) from period
  )`
  return tx
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .leftJoin('undelivered', 'delivery_number', 'deliveries.number')
    .where('deliveries.receiver_id', '=', id)
    .where('replay_of', 'is', null)
    .where('event_number', '>=', findNumber('min'))
    .where('event_number', '<=', findNumber('max'))
    .where('created_at', '>=', since.getTime())
    .where('created_at', '<', until.getTime())
    .where('queue_position', 'is', null)
    .$if(!all, (query) => query.where('undelivered.state', 'in', ['dead', 'discarded']))
    .limit(maxReplayed + 1)
}

const queuedColumns = [
  'delivery_number',
  'repo_id',
  'org',
  'receiver_repo_id',
  'receiver_id',
  'state',
  'queue_position',
  'attempts',
] as const

/** Queues deliveries again, with their ids. Returns how many. */
async function queueAgain(tx: Database, originals: ReturnType<typeof selectOriginals>): Promise<number> {
  const selected = originals
    .select(['deliveries.number', 'events.repo_id', 'deliveries.org'])
    .select(['deliveries.receiver_repo_id', 'deliveries.receiver_id'])
    .select(sql.lit('delivered').as('state'))
    .select([replayPosition.as('queue_position'), 'deliveries.attempts'])
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('undelivered')
    .columns(queuedColumns)
    .expression(selected)
    .onConflict((conflict) =>
      conflict.column('delivery_number').doUpdateSet({ queue_position: sql`excluded.queue_position` }),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}

/** Records and queues copies of deliveries, with ids of their own. Returns how many. */
async function queueCopies(tx: Database, originals: ReturnType<typeof selectOriginals>, now: Date): Promise<number> {
  const rows = await originals.select(['deliveries.number', 'deliveries.id']).orderBy('deliveries.number').execute()
  const copies = rows.map(({ id }) => ({ id: newOrderedId(now), original: id }))
  await sql`
    insert into deliveries (id, event_number, org, receiver_repo_id, receiver_id, replay_of)
    select rows.id, event_number, org, receiver_repo_id, receiver_id, deliveries.id
    from ${rowsOf(tx, copies, { id: 'text', original: 'text' })}
    inner join deliveries on deliveries.id = rows.original
    order by deliveries.number`.execute(tx)
  const copied = tx
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .select(['deliveries.number', 'events.repo_id', 'deliveries.org', 'receiver_repo_id', 'receiver_id'])
    .select([sql.lit('pending').as('state'), replayPosition.as('queue_position'), sql.lit(0).as('attempts')])
    .where(
      isOneOf(
        tx,
        'deliveries.id',
        copies.map(({ id }) => id),
      ),
    )
  await tx.insertInto('undelivered').columns(queuedColumns).expression(copied).execute()
  return copies.length
}

const replayPosition = sql<number>`${sql.lit(firstReplayPosition)} + deliveries.number`

/** Removes the deliveries of all replays from the queues of a receiver. Returns no audit entry when none waited. */
export function cancelReplay(
  db: Database,
  address: ReceiverAddress,
  options: ChangeOptions,
): Promise<AuditEntry | undefined> {
  return transact(db, async (tx) => {
    const receiver = await lockReceiver(tx, address)
    const waiting = tx
      .selectFrom('undelivered')
      .select('delivery_number')
      .where('receiver_id', '=', address.id)
      .where('queue_position', '>=', firstReplayPosition)
    // Copies that were never sent.
    const copies = await tx
      .deleteFrom('deliveries')
      .where('number', 'in', waiting.where('state', '=', 'pending'))
      .executeTakeFirstOrThrow()
    const delivered = await tx
      .deleteFrom('undelivered')
      .where('delivery_number', 'in', waiting.where('state', '=', 'delivered'))
      .executeTakeFirstOrThrow()
    const undelivered = await tx
      .updateTable('undelivered')
      .set({ queue_position: null })
      .where('receiver_id', '=', address.id)
      .where('queue_position', '>=', firstReplayPosition)
      .executeTakeFirstOrThrow()
    const cancelled = Number(copies.numDeletedRows + delivered.numDeletedRows + undelivered.numUpdatedRows)
    if (cancelled === 0) return undefined
    await wakeQueues(tx, { receiverId: address.id }, options.now)
    return recordAudit(tx, describe(receiver, 'cancel-replay', { cancelled }), options)
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

async function lockReceiver(tx: Database, address: ReceiverAddress): Promise<ReceiverRow> {
  const row = await lockRows(tx, selectReceiver(tx, address)).executeTakeFirst()
  if (row === undefined) throw new ReceiverNotFoundError(address)
  return row
}

function describe({ kind, id, repo_id }: ReceiverRow, action: 'replay' | 'cancel-replay', after: AuditedRecord) {
  return { repoId: repo_id, action: `${kind}.${action}`, subjectId: id, before: null, after }
}
