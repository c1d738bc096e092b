// Claims waiting deliveries: leases queues that are due, as many as there is room for, and reads the first delivery of
// each.
import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type { StatementRows } from '../engine/execute-together.ts'
import { showPayload } from '../events/show-payload.ts'
import type { Database } from '../open-database.ts'
import { isRequested, selectFirstDue } from '../receivers/queue.ts'
import { type ReceiverRow, toReceiver } from '../receivers/receivers.ts'
import type { Tables } from '../tables.ts'
import type { ClaimedDelivery } from './attempts.ts'
import { type ClaimOptions, countDue, leaseQueues } from './lease-queues.ts'

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
    const receiver = toReceiver(row)
    return [
      {
        deliveryId: row.delivery_id,
        deliveryNumber: row.number,
        attempt: row.attempts + 1,
        scheduledAttempt: row.attempts + 1 - row.extra_attempts,
        isRedelivery: isRequested(row.queue_position),
        replayOf: row.replay_of,
        digest: row.digest,
        receiver,
        repoId: row.queue_repo_id,
        origin: row.origin,
        event: {
          id: row.event_id,
          sequence: row.sequence,
          recordedAt: new Date(row.event_created_at),
          line: event.line,
          payload: showPayload(event, receiver.filter),
        },
        lease,
      },
    ]
  })
  const isLimited = queues.length + (left[0]?.count ?? 0) >= limit
  return { claims, hasMore: isLimited && claims.length > 0 && claims.length < limit }
}

/**
 * Reads the first delivery of each leased queue. This is a separate statement, because the statement that locks the
 * queues can still see the deliveries from before another process released a queue. An event often has many receivers,
 * so its texts are read only once.
 */
function selectFirstDeliveries(db: Database, isLeased: RawBuilder<SqlBool>, dueBy: Date) {
  return sql<FirstDelivery>`
    select
      claimed.*, events.id as event_id, events.sequence, events.created_at as event_created_at,
      case claimed.rank_in_event when 1 then events.payload end as payload,
      case claimed.rank_in_event when 1 then events.line end as line,
      case claimed.rank_in_event when 1 then events.changes end as changes
    from (
      select
        receivers.*, queues.repo_id as queue_repo_id,
        deliveries.number, deliveries.id as delivery_id, deliveries.replay_of, deliveries.digest,
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
    readonly digest: string | null
    readonly event_id: string
    readonly sequence: number
    readonly event_created_at: number
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
    .where('waiting.awaits_digest', '=', 0)
    .orderBy('waiting.queue_position')
    .limit(1)
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
