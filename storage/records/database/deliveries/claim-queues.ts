// Claims waiting deliveries: leases queues that are due, as many as there is room for, and reads the first delivery of
// each.
import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import { isOneOf, lockFreeRows } from '../engine/engine.ts'
import type { StatementRows } from '../engine/execute-together.ts'
import { showPayload } from '../events/show-payload.ts'
import type { Database } from '../open-database.ts'
import type { Room } from '../../../waiting/fair-shares.ts'
import { isRequested, selectFirstDue } from '../receivers/queue.ts'
import { type ReceiverRow, toReceiver } from '../receivers/receivers.ts'
import type { Lease } from '../replicas/leases.ts'
import { rowsOf } from '../engine/rows-of.ts'
import type { Tables } from '../tables.ts'
import type { ClaimedDelivery } from './attempts.ts'

export type ClaimOptions = {
  readonly limit: number
  /** The leases of this claim. Each claim of a replica has another number. */
  readonly lease: Lease
  /** What is due at this time can be claimed. */
  readonly dueBy: Date
  /** Room for deliveries to each `host:port`, and to those that are not listed. Zero or negative means no room. */
  readonly origins: { readonly ofOthers: number; readonly byOrigin: ReadonlyMap<string, number> }
  /** Room for deliveries of each organisation. */
  readonly rooms: {
    readonly steady: Room
    /** For receivers whose last attempt failed, so that those that hang leave the others room. */
    readonly failing: Room
  }
}

export type Claims = {
  readonly claims: readonly ClaimedDelivery[]
  /** Whether there was room for more claims, and other queues may be due. */
  readonly hasMore: boolean
}

/** Compiles the statements that claim deliveries; {@link readClaims} reads what they return. */
export function claimQueues(db: Database, options: ClaimOptions) {
  const { lease, dueBy } = options
  const isLeased = sql<SqlBool>`queues.leased_by = ${lease.replica} and queues.lease_number = ${lease.number}`
  return {
    queues: leaseQueues(db, options),
    first: selectFirstDeliveries(db, isLeased, dueBy),
    left: countDue(db, options),
    idle: releaseIdle(db, isLeased, dueBy),
  }
}

type ClaimedRows = Pick<StatementRows<ReturnType<typeof claimQueues>>, 'queues' | 'first' | 'left'>

/** Makes the claims from the rows of {@link claimQueues}. */
export function readClaims({ queues, first, left }: ClaimedRows, { limit, lease }: ClaimOptions): Claims {
  const texts = new Map(
    first.flatMap(({ event_id, payload, line, changes }) =>
      payload === null || line === null ? [] : [[event_id, { payload, line, changes }]],
    ),
  )
  const claims = first.flatMap((row): ClaimedDelivery[] => {
    const event = texts.get(row.event_id)
    if (event === undefined) return []
    return [
      {
        deliveryId: row.delivery_id,
        deliveryNumber: row.number,
        attempt: row.attempts + 1,
        scheduledAttempt: row.attempts + 1 - row.extra_attempts,
        isRedelivery: isRequested(row.queue_position),
        replayOf: row.replay_of,
        receiver: toReceiver(row),
        repoId: row.queue_repo_id,
        origin: row.origin,
        event: { id: row.event_id, sequence: row.sequence, line: event.line, payload: showPayload(event, row) },
        lease,
      },
    ]
  })
  const isLimited = queues.length + (left[0]?.count ?? 0) >= limit
  return { claims, hasMore: isLimited && claims.length > 0 && claims.length < limit }
}

/** 1 for a receiver whose last attempt failed, else 0. */
const isFailing = sql<number>`case when receivers.failing_since is null then 0 else 1 end`

/** Lists the room of each organisation that has deliveries under way, by whether their receivers fail. */
function listRooms({ steady, failing }: ClaimOptions['rooms']) {
  return [steady, failing].flatMap(({ byTenant }, isFailing) =>
    [...byTenant].map(([org, room]) => ({ org, failing: isFailing, room })),
  )
}

/** Selects the queues that are due now, up to the limit, without those for which there is no room. */
function selectDue(db: Database, { limit, dueBy, origins, rooms }: ClaimOptions) {
  const full = [...origins.byOrigin].flatMap(([origin, room]) => (room <= 0 ? [origin] : []))
  const fullOrgs = listRooms(rooms).filter(({ room }) => room <= 0)
  return db
    .selectFrom('queues')
    .innerJoin('receivers', 'receivers.id', 'queues.receiver_id')
    .where('is_enabled', '=', 1)
    .where('leased_by', 'is', null)
    .where('due_at', '<=', dueBy.getTime())
    .$if(full.length > 0, (query) => query.where((eb) => eb.not(isOneOf(db, 'origin', full))))
    .$if(rooms.steady.total <= 0, (query) => query.where('failing_since', 'is not', null))
    .$if(rooms.failing.total <= 0, (query) => query.where('failing_since', 'is', null))
    .$if(fullOrgs.length > 0, (query) =>
      query.where(sql<SqlBool>`not exists (
        select 1 from ${rowsOf(db, fullOrgs, { org: 'text', failing: 'integer' })}
        where rows.org = receivers.org and rows.failing = ${isFailing}
      )`),
    )
    .orderBy('due_at')
    .limit(limit)
}

/** Leases queues that are due, as many as there is room for, at their origin and for their organisation. */
function leaseQueues(db: Database, options: ClaimOptions) {
  const due = lockFreeRows(
    db,
    selectDue(db, options)
      .select(['queues.receiver_id', 'queues.repo_id', 'origin', 'due_at', 'org'])
      .select(isFailing.as('failing')),
    'queues',
  )
  const { steady, failing } = options.rooms
  const { replica, number } = options.lease
  const choose = (ofFailing: number, others: number) =>
    sql`cast(case due.failing when 1 then ${ofFailing} else ${others} end as integer)`
  const originRooms = [...options.origins.byOrigin].map(([origin, room]) => ({ origin, room }))
  return sql<{ readonly receiver_id: string }>`
    with due as ${due},
    origin_rooms as materialized (
      select rows.origin, rows.room from ${rowsOf(db, originRooms, { origin: 'text', room: 'integer' })}
    ),
    org_rooms as materialized (
      select rows.org, rows.failing, rows.room
      from ${rowsOf(db, listRooms(options.rooms), { org: 'text', failing: 'integer', room: 'integer' })}
    ),
    ranked as (
      select
        due.receiver_id, due.repo_id,
        row_number() over (partition by due.origin order by due.due_at) as origin_rank,
        coalesce(origin_rooms.room, cast(${options.origins.ofOthers} as integer)) as origin_room,
        row_number() over (partition by due.org, due.failing order by due.due_at) as org_rank,
        coalesce(org_rooms.room, ${choose(failing.ofOthers, steady.ofOthers)}) as org_room,
        row_number() over (partition by due.failing order by due.due_at) as total_rank,
        ${choose(failing.total, steady.total)} as total_room
      from due
      left join origin_rooms on origin_rooms.origin = due.origin
      left join org_rooms on org_rooms.org = due.org and org_rooms.failing = due.failing
    )
    update queues set leased_by = ${replica}, lease_number = ${number}
    where (receiver_id, repo_id) in (
      select receiver_id, repo_id from ranked
      where origin_rank <= origin_room and org_rank <= org_room and total_rank <= total_room
    )
    returning receiver_id`.compile(db)
}

/**
 * Reads the first delivery of each leased queue. This is a separate statement, because the statement that locks the
 * queues can still see the deliveries from before another process released a queue. An event often has many receivers,
 * so its texts are read only once.
 */
function selectFirstDeliveries(db: Database, isLeased: RawBuilder<SqlBool>, dueBy: Date) {
  return sql<FirstDelivery>`
    select
      claimed.*, events.id as event_id, events.sequence,
      case claimed.rank_in_event when 1 then events.payload end as payload,
      case claimed.rank_in_event when 1 then events.line end as line,
      case claimed.rank_in_event when 1 then events.changes end as changes
    from (
      select
        receivers.*, queues.repo_id as queue_repo_id,
        deliveries.number, deliveries.id as delivery_id, deliveries.replay_of,
        undelivered.attempts, undelivered.extra_attempts,
        undelivered.queue_position, deliveries.event_number,
        row_number() over (partition by deliveries.event_number order by deliveries.number) as rank_in_event
      from queues
      inner join receivers on receivers.id = queues.receiver_id
      inner join undelivered on undelivered.delivery_number = ${selectFirst(db)}
      inner join deliveries on deliveries.number = undelivered.delivery_number
      where ${isLeased} and coalesce(undelivered.due_at, 0) <= ${dueBy.getTime()}
    ) as claimed
    inner join events on events.number = claimed.event_number`.compile(db)
}

type FirstDelivery = ReceiverRow &
  Pick<Selectable<Tables['undelivered']>, 'attempts' | 'extra_attempts' | 'queue_position'> & {
    readonly queue_repo_id: string
    readonly number: number
    readonly delivery_id: string
    readonly replay_of: string | null
    readonly event_id: string
    readonly sequence: number
    /** Null when another row has the payload of the same event. */
    readonly payload: string | null
    readonly line: string | null
    readonly changes: string | null
  }

function selectFirst(db: Database) {
  return db
    .selectFrom('undelivered as waiting')
    .select('waiting.delivery_number')
    .where('waiting.receiver_id', '=', sql.ref<string>('queues.receiver_id'))
    .where('waiting.repo_id', '=', sql.ref<string>('queues.repo_id'))
    .where('waiting.queue_position', 'is not', null)
    .orderBy('waiting.queue_position')
    .limit(1)
}

function countDue(db: Database, options: ClaimOptions) {
  const due = selectDue(db, options).select('queues.receiver_id').as('due')
  return db
    .selectFrom(due)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .compile()
}

/**
 * Ends the new leases of queues that are empty or wait for a retry, because the deliveries that made them due have
 * expired.
 */
function releaseIdle(db: Database, isLeased: RawBuilder<SqlBool>, dueBy: Date) {
  const firstDue = selectFirstDue(dueBy)
  return sql`
    update queues set leased_by = null, lease_number = null, due_at = ${firstDue}
    where ${isLeased} and coalesce(${firstDue} > ${dueBy.getTime()}, true)`.compile(db)
}
