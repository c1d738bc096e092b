import { sql } from 'kysely'
import { makeStorable } from '../../storable-text.ts'
import { isOneOf, listRecords, lockRows } from '../engine.ts'
import type { Database } from '../open-database.ts'
import { selectFirstDue } from '../receivers/queue.ts'
import type { Receiver } from '../receivers/receivers.ts'

export type ClaimedDelivery = {
  /** Sent as `webhook-id`; the same in every attempt. */
  readonly deliveryId: string
  /** The key of the delivery in the database. */
  readonly deliveryNumber: number
  /** Number of this attempt, from 1. Attempts that a crash interrupted are not counted. */
  readonly attempt: number
  /**
   * Number of this attempt in the schedule of retries, from 1. Does not count attempts that an administrator requested while a retry was
   * planned.
   */
  readonly scheduledAttempt: number
  /** Whether an administrator requested it, alone or with others. Such a delivery has one attempt, and its failure changes nothing else. */
  readonly isRedelivery: boolean
  readonly receiver: Receiver
  /** Repository of the event. With the receiver, it names the queue. */
  readonly repoId: string
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

export type AttemptOutcome = {
  readonly startedAt: Date
  readonly durationMs: number
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null
  readonly error: string | null
  readonly responseExcerpt: string | null
}

/** The consequence of an attempt. A failed redelivery is not retried and does not disable the receiver, except with `gone`. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueAt: Date }
  /** No attempt is left: the delivery is given up and the receiver is disabled, so that its other deliveries are held. */
  | { readonly kind: 'dead'; readonly disableReason: string }
  /** The receiver refused further notifications (410). Has the same effect as `dead`. */
  | { readonly kind: 'gone'; readonly disableReason: string }

export type FinishedAttempt = {
  readonly claim: ClaimedDelivery
  readonly outcome: AttemptOutcome
  readonly next: NextStep
}

/**
 * Compiles the statements that record finished attempts, each of a different queue, and their consequences. They also release the queues:
 * other queues that are already due come before the next deliveries of these. An attempt is not recorded when its lease was lost or its
 * delivery was deleted; the rows of `inserted` have the delivery numbers of the others.
 */
export function recordAttempts(db: Database, finished: readonly FinishedAttempt[], now: Date) {
  return {
    locked: lockReceivers(db, finished),
    arrived: endDeliveries(db, finished),
    moved: moveDeliveries(db, finished),
    counted: countAttempts(db, finished),
    inserted: insertAttempts(db, finished),
    deleted: deleteOldAttempts(db, finished),
    disabled: disableReceivers(db, finished, now),
    judged: judgeReceivers(db, finished, now),
    released: releaseQueues(db, finished, now),
  }
}

/** Locks the receivers in the order of their ids, before they are updated in any order. Transactions that add to queues lock them first too. */
function lockReceivers(db: Database, finished: readonly FinishedAttempt[]) {
  const ids = finished.map(({ claim }) => claim.receiver.id)
  const query = db
    .selectFrom('receivers')
    .select('id')
    .where(isOneOf(db, 'id', ids))
  return lockRows(db, query.orderBy('id')).compile()
}

/** The number of the delivery of an item. */
const delivery = sql`cast(item.value ->> 'delivery' as bigint)`

/** Whether the lease of an item is still valid. */
const isHeld = sql`queues.receiver_id = item.value ->> 'receiver' and queues.repo_id = item.value ->> 'repo'
  and queues.lease_token = item.value ->> 'lease'`

/** Takes the deliveries that have arrived, now or before, from those that wait. */
function endDeliveries(db: Database, finished: readonly FinishedAttempt[]) {
  const ends = finished.map((attempt) => ({ ...identify(attempt), state: chooseMove(attempt).state }))
  const hasArrived = sql`exists (
    select 1 from undelivered as waiting where waiting.delivery_number = ${delivery} and waiting.state = 'delivered'
  )`
  return sql`
    delete from undelivered where delivery_number in (
      select ${delivery} from ${listRecords(db, ends)}
      inner join queues on ${isHeld}
      where item.value ->> 'state' = 'delivered' or ${hasArrived}
    )`.compile(db)
}

/** Updates the deliveries that have not arrived. */
function moveDeliveries(db: Database, finished: readonly FinishedAttempt[]) {
  const moves = finished.flatMap((attempt) => {
    const { state, due } = chooseMove(attempt)
    return state === 'delivered' ? [] : [{ ...identify(attempt), state, due }]
  })
  if (moves.length === 0) return undefined
  // A delivery that was discarded meanwhile must not get a new due time.
  return sql`
    update undelivered set
      attempts = attempts + 1,
      state = coalesce(item.value ->> 'state', state),
      turn = case when item.value ->> 'due' is null then null else turn end,
      due_at = case
        when item.value ->> 'due' is null then null
        when state = 'pending' then cast(item.value ->> 'due' as bigint)
        else undelivered.due_at
      end
    from ${listRecords(db, moves)}
    inner join queues on ${isHeld}
    where delivery_number = ${delivery}`.compile(db)
}

/** Records how many attempts each delivery took until it arrived; undefined when each took one, with which it was recorded. */
function countAttempts(db: Database, finished: readonly FinishedAttempt[]) {
  const counts = finished.flatMap((attempt) => {
    const { attempt: number } = attempt.claim
    return number === 1 ? [] : [{ ...identify(attempt), number }]
  })
  if (counts.length === 0) return undefined
  return sql`
    update deliveries set attempts = cast(item.value ->> 'number' as integer)
    from ${listRecords(db, counts)}
    inner join queues on ${isHeld}
    where deliveries.number = ${delivery}
      and not exists (select 1 from undelivered where delivery_number = deliveries.number)`.compile(db)
}

function identify({ claim }: FinishedAttempt) {
  return { delivery: claim.deliveryNumber, receiver: claim.receiver.id, repo: claim.repoId, lease: claim.leaseToken }
}

/** Chooses the new state of the delivery (null: unchanged) and its next due time (null: it no longer waits). */
function chooseMove({ claim, next }: FinishedAttempt) {
  if (next.kind === 'delivered') return { state: 'delivered', due: null }
  if (claim.isRedelivery) return { state: null, due: null }
  return next.kind === 'retry' ? { state: null, due: next.dueAt.getTime() } : { state: 'dead', due: null }
}

function insertAttempts(db: Database, finished: readonly FinishedAttempt[]) {
  const attempts = finished.map((attempt) => {
    const { claim, outcome } = attempt
    return {
      ...identify(attempt),
      number: claim.attempt,
      started: outcome.startedAt.getTime(),
      duration: Math.round(outcome.durationMs),
      status: outcome.status,
      error: outcome.error && makeStorable(outcome.error),
      excerpt: outcome.responseExcerpt && makeStorable(outcome.responseExcerpt),
    }
  })
  return sql<{ delivery_number: number }>`
    insert into attempts (delivery_number, number, started_at, duration_ms, status, error, response_excerpt)
    select
      ${delivery}, cast(item.value ->> 'number' as integer), cast(item.value ->> 'started' as bigint),
      cast(item.value ->> 'duration' as integer), cast(item.value ->> 'status' as integer), item.value ->> 'error',
      item.value ->> 'excerpt'
    from ${listRecords(db, attempts)}
    inner join queues on ${isHeld}
    inner join deliveries on deliveries.number = ${delivery}
    returning delivery_number`.compile(db)
}

/** Maximum number of stored attempts of a delivery: administrators can request any number, and each can store 16 KB of an answer. */
export const maxStoredAttempts = 100

/** Deletes the attempts beyond the maximum; undefined when there are none. */
function deleteOldAttempts(db: Database, finished: readonly FinishedAttempt[]) {
  const forgotten = finished.flatMap(({ claim: { deliveryNumber, attempt } }) =>
    attempt > maxStoredAttempts ? [{ delivery: deliveryNumber, number: attempt - maxStoredAttempts }] : [],
  )
  if (forgotten.length === 0) return undefined
  return sql`
    delete from attempts where (delivery_number, number) in (
      select ${delivery}, cast(item.value ->> 'number' as integer) from ${listRecords(db, forgotten)}
    )`.compile(db)
}

const isKept = sql`exists (select 1 from deliveries where deliveries.number = ${delivery})`

/** Disables the receivers that refused further notifications or failed too often; undefined when there are none. */
function disableReceivers(db: Database, finished: readonly FinishedAttempt[], now: Date) {
  const disabled = finished.flatMap((attempt) => {
    const { claim, next } = attempt
    if (next.kind !== 'gone' && (next.kind !== 'dead' || claim.isRedelivery)) return []
    return [{ ...identify(attempt), reason: makeStorable(next.disableReason) }]
  })
  if (disabled.length === 0) return undefined
  return sql`
    update receivers set
      is_enabled = 0,
      disabled_reason = item.value ->> 'reason',
      updated_at = ${now.getTime()},
      version = version + 1
    from ${listRecords(db, disabled)}
    where receivers.id = item.value ->> 'receiver' and exists (select 1 from queues where ${isHeld}) and ${isKept}`.compile(
    db,
  )
}

/** Records which receivers answered well, and since when the others fail. Attempts whose deliveries were deleted do not count. */
function judgeReceivers(db: Database, finished: readonly FinishedAttempt[], now: Date) {
  // A receiver can have ended several attempts, each of another repository. The last one counts.
  const byReceiver = new Map(finished.map((attempt) => [attempt.claim.receiver.id, attempt]))
  const judged = [...byReceiver.values()].map((attempt) => ({
    ...identify(attempt),
    health: attempt.next.kind === 'delivered' ? 'good' : 'bad',
  }))
  const at = now.getTime()
  const isGood = sql`item.value ->> 'health' = 'good'`
  return sql`
    update receivers set
      last_success_at = case when ${isGood} then ${at} else last_success_at end,
      failing_since = case when ${isGood} then null else coalesce(failing_since, ${at}) end,
      is_failure_noticed = case when ${isGood} then 0 else is_failure_noticed end
    from ${listRecords(db, judged)}
    where receivers.id = item.value ->> 'receiver' and exists (select 1 from queues where ${isHeld}) and ${isKept}`.compile(
    db,
  )
}

/** Ends the leases. */
function releaseQueues(db: Database, finished: readonly FinishedAttempt[], now: Date) {
  return sql`
    update queues set lease_token = null, due_at = ${selectFirstDue(now)}
    from ${listRecords(db, finished.map(identify))}
    where ${isHeld}`.compile(db)
}
