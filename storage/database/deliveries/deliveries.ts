// Claims waiting deliveries for the processes that send them, and sends deliveries again when people ask for it. A claim leases the
// queue of a receiver, so that at most one of its deliveries is under way in all processes together.
import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type AuditEntry, type ChangeOptions, recordAudit } from '../audit.ts'
import { DeliveryNotFoundError, ReceiverDisabledError } from '../errors.ts'
import { toReceiver } from '../receivers/receivers.ts'
import type { Receiver } from '../receivers/receivers.ts'
import { lockRows, takeRows } from '../engine.ts'
import { wakeQueue } from '../queue.ts'
import type { Database } from '../open-database.ts'
import type { ReceiversTable } from '../tables.ts'

/** How many deliveries to claim. */
export type ClaimOptions = {
  readonly limit: number
  /** The most deliveries under way for one `host:port`, those in `inFlight` included. */
  readonly perOrigin: number
  /** Deliveries under way in this process by `host:port`. */
  readonly inFlight: ReadonlyMap<string, number>
  /** Ids of the receivers that this process sends to now. Their leases may seem to have ended when the clock was set. */
  readonly busy: ReadonlySet<string>
  /** After this time, in milliseconds, other processes may claim the delivery. Must be longer than an attempt takes. */
  readonly leaseMs: number
}

/** Identifies a delivery. */
export type DeliveryAddress = { readonly repoId: string; readonly id: string }

/** A delivery to attempt now. */
export type ClaimedDelivery = {
  /** Sent as `webhook-id`: the same in every attempt. */
  readonly deliveryId: string
  /** Number of this attempt, from 1. Attempts that a crash interrupted are not counted. */
  readonly attempt: number
  /**
   * Number of this attempt in the schedule of retries, from 1. It leaves out attempts that an administrator requested while another was
   * planned.
   */
  readonly scheduledAttempt: number
  /** Whether an administrator requested it. Then it has only one attempt, and a failure changes nothing else. */
  readonly isRedelivery: boolean
  readonly receiver: Receiver
  /** `host:port` of the receiver's URL. */
  readonly origin: string
  readonly event: {
    readonly id: string
    /** Number of the head move of the branch, from 1. */
    readonly sequence: number
    readonly payload: string
    readonly line: string
  }
  readonly leaseToken: string
}

/** Claims the first delivery of each queue that is due, longest due first. A result that is not empty means that there may be more. */
export async function claimDeliveries(db: Database, options: ClaimOptions, now: Date): Promise<ClaimedDelivery[]> {
  return db.transaction().execute(async (tx) => {
    const queues = await lockDueQueues(tx, options, now)
    if (queues.length === 0) return []
    const leaseToken = randomUUID()
    const claims = await readFirstDeliveries(tx, queues, leaseToken)
    const ids = [...claims.keys()]
    const emptied = queues.flatMap(({ id }) => (claims.has(id) ? [] : [id]))
    const lease = { lease_token: leaseToken, due_at: now.getTime() + options.leaseMs }
    if (ids.length > 0) await tx.updateTable('receivers').set(lease).where('id', 'in', ids).execute()
    // These queues are due but empty, because the deliveries that waited in them have expired.
    const rest = { lease_token: null, due_at: null }
    if (emptied.length > 0) await tx.updateTable('receivers').set(rest).where('id', 'in', emptied).execute()
    return [...claims.values()]
  })
}

/** Locks queues that are due, except those whose origin has the most deliveries under way already. */
async function lockDueQueues(tx: Database, options: ClaimOptions, now: Date): Promise<Selectable<ReceiversTable>[]> {
  const inFlight = new Map(options.inFlight)
  const full = [...inFlight].flatMap(([origin, count]) => (count >= options.perOrigin ? [origin] : []))
  const query = tx
    .selectFrom('receivers')
    .selectAll()
    .where('is_enabled', '=', 1)
    .where('due_at', '<=', now.getTime())
    .$if(full.length > 0, (query) => query.where('origin', 'not in', full))
    .orderBy('due_at')
    .limit(options.limit)
  const queues = await takeRows(tx, query).execute()
  return queues.filter(({ id, origin }) => {
    if (options.busy.has(id)) return false
    const count = inFlight.get(origin) ?? 0
    inFlight.set(origin, count + 1)
    return count < options.perOrigin
  })
}

/**
 * Reads the first delivery of each queue, by receiver id. This is a statement of its own after the queues were locked, because the
 * locking statement can still see deliveries as they were before another process released the queue.
 */
async function readFirstDeliveries(
  tx: Database,
  queues: readonly Selectable<ReceiversTable>[],
  leaseToken: string,
): Promise<Map<string, ClaimedDelivery>> {
  const rows = await tx
    .selectFrom('receivers')
    .innerJoin('deliveries', (join) =>
      join.on('deliveries.id', '=', (eb) =>
        eb
          .selectFrom('deliveries as waiting')
          .select('waiting.id')
          .whereRef('waiting.receiver_id', '=', 'receivers.id')
          .where('waiting.turn', 'is not', null)
          .orderBy('waiting.turn')
          .limit(1),
      ),
    )
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(['deliveries.id', 'receiver_id', 'attempts', 'extra_attempts', 'turn'])
    .select(['event_id', 'sequence', 'payload', 'line'])
    .where(
      'receivers.id',
      'in',
      queues.map(({ id }) => id),
    )
    .execute()
  const byReceiver = new Map(rows.map((row) => [row.receiver_id, row]))
  const claims = new Map<string, ClaimedDelivery>()
  for (const queue of queues) {
    const row = byReceiver.get(queue.id)
    if (row === undefined) continue
    claims.set(queue.id, {
      deliveryId: row.id,
      attempt: row.attempts + 1,
      scheduledAttempt: row.attempts + 1 - row.extra_attempts,
      isRedelivery: row.turn === 0,
      receiver: toReceiver(queue),
      origin: queue.origin,
      event: { id: row.event_id, sequence: row.sequence, payload: row.payload, line: row.line },
      leaseToken,
    })
  }
  return claims
}

/** Returns the next time at which a queue is due or a lease ends; null when nothing waits. */
export async function nextDueAt(db: Database): Promise<Date | null> {
  const row = await db
    .selectFrom('receivers')
    .select('due_at')
    .where('is_enabled', '=', 1)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row === undefined || row.due_at === null ? null : new Date(row.due_at)
}

/**
 * Queues a delivery again, before all others of its receiver. Its state does not matter. A delivery that waits for its next attempt is
 * sent as soon as its turn comes, which costs none of its attempts. Asking twice before it is sent has the same effect as asking once.
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
        // Without this time, it is due at once: nobody has to ask for that, or somebody has already.
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
    const entry = { org: by.org, repoId, keyId: by.id, ...what }
    await recordAudit(tx, entry, now)
    return entry
  })
}
