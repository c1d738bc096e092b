// Leases queues that are due, as many as there is room for: at their origin, for their organisation, and in all.
import { sql, type SqlBool } from 'kysely'
import { isOneOf, lockFreeRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { Room } from '../../../waiting/fair-shares.ts'
import type { Lease } from '../replicas/leases.ts'
import { rowsOf } from '../engine/rows-of.ts'

export type ClaimOptions = {
  readonly limit: number
  /** The leases of this claim. Each claim of a replica has another number. */
  readonly lease: Lease
  /** What is due at this time can be claimed. */
  readonly dueBy: Date
  /** Room for deliveries to each `host:port`, and to each that is not listed. */
  readonly origins: { readonly ofOthers: Room; readonly byOrigin: ReadonlyMap<string, Room> }
  /** Room for deliveries of each organisation. */
  readonly rooms: {
    readonly steady: Room
    /** For receivers whose last attempt failed, so that those that hang leave the others room. */
    readonly failing: Room
  }
}

/** 1 for a receiver whose last attempt failed, else 0. */
const isFailing = sql<number>`case when receivers.failing_since is null then 0 else 1 end`

/** Lists the room of each organisation that has deliveries under way to an origin, by this origin. */
function listOriginRooms({ byOrigin }: ClaimOptions['origins']) {
  return [...byOrigin].flatMap(([origin, { byTenant }]) => [...byTenant].map(([org, room]) => ({ origin, org, room })))
}

/** Lists the room of each organisation that has deliveries under way, by whether their receivers fail. */
function listRooms({ steady, failing }: ClaimOptions['rooms']) {
  return [steady, failing].flatMap(({ byTenant }, isFailing) =>
    [...byTenant].map(([org, room]) => ({ org, failing: isFailing, room })),
  )
}

/** Selects the queues that are due now, up to the limit, without those for which there is no room. */
function selectDue(db: Database, { limit, dueBy, origins, rooms }: ClaimOptions) {
  const full = [...origins.byOrigin].flatMap(([origin, { total }]) => (total <= 0 ? [origin] : []))
  const fullShares = listOriginRooms(origins).filter(({ room }) => room <= 0)
  const fullOrgs = listRooms(rooms).filter(({ room }) => room <= 0)
  return db
    .selectFrom('queues')
    .innerJoin('receivers', 'receivers.id', 'queues.receiver_id')
    .where('leased_by', 'is', null)
    .where('due_at', '<=', dueBy.getTime())
    .$if(full.length > 0, (query) => query.where((eb) => eb.not(isOneOf(db, 'origin', full))))
    .$if(rooms.steady.total <= 0, (query) => query.where('failing_since', 'is not', null))
    .$if(rooms.failing.total <= 0, (query) => query.where('failing_since', 'is', null))
    .$if(fullShares.length > 0, (query) =>
      query.where(sql<SqlBool>`(origin, org) not in (
        select rows.origin, rows.org from ${rowsOf(db, fullShares, { origin: 'text', org: 'text' })}
      )`),
    )
    .$if(fullOrgs.length > 0, (query) =>
      query.where(sql<SqlBool>`(org, ${isFailing}) not in (
        select rows.org, rows.failing from ${rowsOf(db, fullOrgs, { org: 'text', failing: 'integer' })}
      )`),
    )
    .orderBy('due_at')
    .limit(limit)
}

/** Writes the rooms as tables of a statement. */
function writeRooms(db: Database, { origins, rooms }: ClaimOptions) {
  const originRooms = [...origins.byOrigin].map(([origin, { total, ofOthers }]) => {
    return { origin, total, of_others: ofOthers }
  })
  return sql`
    origin_rooms as materialized (
      select rows.origin, rows.total, rows.of_others
      from ${rowsOf(db, originRooms, { origin: 'text', total: 'integer', of_others: 'integer' })}
    ),
    origin_shares as materialized (
      select rows.origin, rows.org, rows.room
      from ${rowsOf(db, listOriginRooms(origins), { origin: 'text', org: 'text', room: 'integer' })}
    ),
    org_rooms as materialized (
      select rows.org, rows.failing, rows.room
      from ${rowsOf(db, listRooms(rooms), { org: 'text', failing: 'integer', room: 'integer' })}
    )`
}

/** Leases queues that are due, as many as there is room for, at their origin and for their organisation. */
export function leaseQueues(db: Database, options: ClaimOptions) {
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
  const { ofOthers: unlisted } = options.origins
  // What is beyond the share of an organisation must not take the place of others, so the shares come first.
  return sql<{ readonly receiver_id: string }>`
    with due as ${due},
    ${writeRooms(db, options)},
    shared as (
      select
        due.*,
        row_number() over (partition by due.org, due.failing order by due.due_at) as org_rank,
        coalesce(org_rooms.room, ${choose(failing.ofOthers, steady.ofOthers)}) as org_room,
        row_number() over (partition by due.origin, due.org order by due.due_at) as share_rank,
        coalesce(origin_shares.room, origin_rooms.of_others, cast(${unlisted.ofOthers} as integer)) as share_room,
        coalesce(origin_rooms.total, cast(${unlisted.total} as integer)) as origin_room
      from due
      left join origin_rooms on origin_rooms.origin = due.origin
      left join origin_shares on origin_shares.origin = due.origin and origin_shares.org = due.org
      left join org_rooms on org_rooms.org = due.org and org_rooms.failing = due.failing
    ),
    ranked as (
      select
        due.receiver_id, due.repo_id, due.origin_room,
        row_number() over (partition by due.origin order by due.share_rank, due.due_at) as origin_rank,
        row_number() over (partition by due.failing order by due.due_at) as total_rank,
        ${choose(failing.total, steady.total)} as total_room
      from shared as due
      where org_rank <= org_room and share_rank <= share_room
    )
    update queues set leased_by = ${replica}, lease_number = ${number}
    where (receiver_id, repo_id) in (
      select receiver_id, repo_id from ranked
      where origin_rank <= origin_room and total_rank <= total_room
    )
    returning receiver_id`.compile(db)
}

/** Counts the queues that are due and were not leased, up to the limit. */
export function countDue(db: Database, options: ClaimOptions) {
  const due = selectDue(db, options).select('queues.receiver_id').as('due')
  return db
    .selectFrom(due)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .compile()
}
