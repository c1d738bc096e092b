// Claims waiting deliveries for the processes that send them. A claim leases the queue of a receiver, so that at most one of its
// deliveries is under way in all processes together.
import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import { isOneOf, listRecords, takeRows } from '../engine.ts'
import type { RowsOf } from '../execute-together.ts'
import type { Database } from '../open-database.ts'
import { type Receiver, receiverColumns, type ReceiverRow, toDate, toReceiver } from '../receivers/receivers.ts'
import type { Tables } from '../tables.ts'

export type ClaimOptions = {
  readonly limit: number
  /** Maximum number of deliveries under way for one `host:port`, including those in `inFlight`. */
  readonly perOrigin: number
  /** Deliveries under way in this process by `host:port`. */
  readonly inFlight: ReadonlyMap<string, number>
  /** Ids of the receivers whose leases this process holds. A change of the clock can make these leases look expired. */
  readonly busy: ReadonlySet<string>
  /** After this time, in milliseconds, other processes may claim the delivery. Must be longer than an attempt. */
  readonly leaseMs: number
}

export type ClaimedDelivery = {
  /** Sent as `webhook-id`; the same in every attempt. */
  readonly deliveryId: string
  /** Number of this attempt, from 1. Attempts that a crash interrupted are not counted. */
  readonly attempt: number
  /**
   * Number of this attempt in the schedule of retries, from 1. Does not count attempts that an administrator requested while a retry was
   * planned.
   */
  readonly scheduledAttempt: number
  /** Whether an administrator requested it. Such a delivery has one attempt, and its failure changes nothing else. */
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

export type Claims = {
  readonly claims: readonly ClaimedDelivery[]
  /** Whether there was room for more claims, and other queues may be due. */
  readonly hasMore: boolean
}

export function claimQueues(db: Database, options: ClaimOptions, leaseToken: string, now: Date) {
  const leaseEnd = now.getTime() + options.leaseMs
  const isLeased = sql<SqlBool>`receivers.due_at = ${leaseEnd} and receivers.lease_token = ${leaseToken}`
  return {
    queues: leaseQueues(db, options, { leaseToken, leaseEnd }, now),
    first: selectFirstDeliveries(db, isLeased),
    left: countDue(db, options, now),
    emptied: releaseEmptied(db, isLeased),
  }
}

type ClaimedRows = Pick<RowsOf<ReturnType<typeof claimQueues>>, 'queues' | 'first' | 'left'>

export function readClaims({ queues, first, left }: ClaimedRows, options: ClaimOptions, leaseToken: string): Claims {
  const byReceiver = new Map(first.map((row) => [row.receiver_id, row]))
  const texts = new Map(
    first.flatMap(({ event_id, payload, line }) =>
      payload === null || line === null ? [] : [[event_id, { payload, line }]],
    ),
  )
  const claims = queues.flatMap((queue): ClaimedDelivery[] => {
    const row = byReceiver.get(queue.id)
    const event = row && texts.get(row.event_id)
    if (row === undefined || event === undefined) return []
    return [
      {
        deliveryId: row.id,
        attempt: row.attempts + 1,
        scheduledAttempt: row.attempts + 1 - row.extra_attempts,
        isRedelivery: row.turn === 0,
        receiver: toReceiver(queue),
        origin: queue.origin,
        event: { id: row.event_id, sequence: row.sequence, ...event },
        leaseToken,
      },
    ]
  })
  const isCut = queues.length + (left[0]?.count ?? 0) >= options.limit
  return { claims, hasMore: isCut && claims.length > 0 && claims.length < options.limit }
}

/** Selects the queues that are due now, up to the limit. */
function selectDue(db: Database, { limit, perOrigin, inFlight, busy }: ClaimOptions, now: Date) {
  const full = [...inFlight].flatMap(([origin, count]) => (count >= perOrigin ? [origin] : []))
  return db
    .selectFrom('receivers')
    .where('is_enabled', '=', 1)
    .where('due_at', '<=', now.getTime())
    .where((eb) => eb.or([eb('lease_token', 'is', null), eb.not(isOneOf(db, 'id', [...busy]))]))
    .$if(full.length > 0, (query) => query.where((eb) => eb.not(isOneOf(db, 'origin', full))))
    .orderBy('due_at')
    .limit(limit)
}

/** Leases queues that are due, except those whose origin has the maximum number of deliveries under way. */
function leaseQueues(
  db: Database,
  options: ClaimOptions,
  { leaseToken, leaseEnd }: { readonly leaseToken: string; readonly leaseEnd: number },
  now: Date,
) {
  const due = takeRows(db, selectDue(db, options, now).select(['id', 'origin', 'due_at']))
  const used = [...options.inFlight].map(([origin, count]) => ({ origin, count }))
  return sql<ReceiverRow>`
    with due as ${due},
    used as materialized (
      select item.value ->> 'origin' as origin, cast(item.value ->> 'count' as integer) as count
      from ${listRecords(db, used)}
    ),
    placed as (
      select due.id, coalesce(used.count, 0) + row_number() over (partition by due.origin order by due.due_at) as place
      from due left join used on used.origin = due.origin
    )
    update receivers set lease_token = ${leaseToken}, due_at = ${leaseEnd}
    where id in (select id from placed where place <= ${options.perOrigin})
    returning ${sql.join(receiverColumns.map((column) => sql.ref(column)))}`.compile(db)
}

/**
 * Reads the first delivery of each leased queue. This is a separate statement, because the statement that locks the queues can still see
 * the deliveries from before another process released a queue. An event often has many receivers, so its texts are read only once.
 */
function selectFirstDeliveries(db: Database, isLeased: RawBuilder<SqlBool>) {
  return sql<FirstDelivery>`
    select
      claimed.receiver_id, claimed.id, claimed.attempts, claimed.extra_attempts, claimed.turn, claimed.event_id,
      events.sequence,
      case claimed.place when 1 then events.payload end as payload,
      case claimed.place when 1 then events.line end as line
    from (
      select
        deliveries.receiver_id, deliveries.id, deliveries.attempts, deliveries.extra_attempts, deliveries.turn,
        deliveries.event_id, row_number() over (partition by deliveries.event_id order by deliveries.id) as place
      from receivers
      inner join deliveries on deliveries.id = ${selectFirst(db)}
      where ${isLeased}
    ) as claimed
    inner join events on events.id = claimed.event_id`.compile(db)
}

type FirstDelivery = Pick<
  Selectable<Tables['deliveries']>,
  'receiver_id' | 'id' | 'attempts' | 'extra_attempts' | 'turn' | 'event_id'
> & {
  readonly sequence: number
  /** Null when another row has the payload of the same event. */
  readonly payload: string | null
  readonly line: string | null
}

function selectFirst(db: Database) {
  return db
    .selectFrom('deliveries as waiting')
    .select('waiting.id')
    .where('waiting.receiver_id', '=', sql.ref<string>('receivers.id'))
    .where('waiting.turn', 'is not', null)
    .orderBy('waiting.turn')
    .limit(1)
}

function countDue(db: Database, options: ClaimOptions, now: Date) {
  const due = selectDue(db, options, now).select('id').as('due')
  return db
    .selectFrom(due)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .compile()
}

/** Ends the leases of queues that were due but are empty, because their deliveries have expired. */
function releaseEmptied(db: Database, isLeased: RawBuilder<SqlBool>) {
  return sql`
    update receivers set lease_token = null, due_at = null
    where ${isLeased} and not exists ${selectFirst(db)}`.compile(db)
}

/** Returns the next time when a queue is due or a lease ends; null when no delivery waits. */
export async function nextDueAt(db: Database): Promise<Date | null> {
  const row = await db
    .selectFrom('receivers')
    .select('due_at')
    .where('is_enabled', '=', 1)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return toDate(row?.due_at ?? null)
}
