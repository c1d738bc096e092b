import { sql } from 'kysely'
import { makeStorable } from '../../../storable-text.ts'
import { isOneOf, lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { selectFirstDue } from '../receivers/queue.ts'
import type { LastFailure, Receiver } from '../receivers/receivers.ts'
import type { Lease } from '../replicas/leases.ts'
import { rowsOf } from '../engine/rows-of.ts'

export type ClaimedDelivery = {
  /** Sent as `webhook-id`; the same in every attempt. */
  readonly deliveryId: string
  /** The key of the delivery in the database. */
  readonly deliveryNumber: number
  /** Number of this attempt, from 1. Attempts that a crash interrupted are not counted. */
  readonly attempt: number
  /**
   * Number of this attempt in the schedule of retries, from 1. Does not count attempts that an administrator requested
   * while a retry was planned.
   */
  readonly scheduledAttempt: number
  /**
   * Whether an administrator requested it, as a redelivery or a replay. Such a delivery has one attempt. If it fails,
   * its receiver counts as failing, as after any other attempt.
   */
  readonly isRedelivery: boolean
  /** Id of the delivery that this one replays as new; null for that of an event. */
  readonly replayOf: string | null
  /** What is sent in place of the event, see {@link gatherDigest}; null for the event alone. */
  readonly digest: string | null
  readonly receiver: Receiver
  /** Repository of the event. With the receiver, it names the queue. */
  readonly repoId: string
  /** `host:port` of the receiver's URL. */
  readonly origin: string
  readonly event: {
    readonly id: string
    /** Number of the event among those of its ref, from 1. */
    readonly sequence: number
    readonly recordedAt: Date
    readonly payload: string
    readonly line: string
  }
  readonly lease: Lease
}

export type AttemptOutcome = {
  readonly startedAt: Date
  readonly durationMs: number
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null
  readonly error: string | null
  readonly responseExcerpt: string | null
}

/** The consequence of an attempt. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueAt: Date }
  /** A delivery that an administrator requested failed. It keeps its state, is not retried, and disables nothing. */
  | { readonly kind: 'failed' }
  /**
   * No attempt is left: the delivery is given up and the receiver is disabled, so that its other deliveries are held.
   */
  | { readonly kind: 'dead'; readonly disableReason: string }
  /** The receiver refused further notifications (410). Has the same effect as `dead`. */
  | { readonly kind: 'gone'; readonly disableReason: string }

export type FinishedAttempt = {
  readonly claim: ClaimedDelivery
  readonly outcome: AttemptOutcome
  readonly next: NextStep
}

/**
 * Compiles the statements that record finished attempts, each of a different queue, and their consequences. They also
 * release the queues: other queues that are already due come before the next deliveries of these. An attempt is not
 * recorded when its lease was lost or its delivery was deleted; the rows of `inserted` have the delivery numbers of the
 * others.
 */
export function recordAttempts(db: Database, finished: readonly FinishedAttempt[], now: Date) {
  return {
    locked: lockReceivers(db, finished),
    delivered: removeDelivered(db, finished),
    rescheduled: rescheduleDeliveries(db, finished),
    attemptCounts: recordAttemptCounts(db, finished),
    inserted: insertAttempts(db, finished),
    deleted: deleteOldAttempts(db, finished),
    disabled: disableReceivers(db, finished, now),
    receiverHealth: recordReceiverHealth(db, finished, now),
    released: releaseQueues(db, finished, now),
  }
}

/**
 * Locks the receivers in the order of their ids, before they are updated in any order. Transactions that add to queues
 * lock them first too.
 */
function lockReceivers(db: Database, finished: readonly FinishedAttempt[]) {
  const ids = finished.map(({ claim }) => claim.receiver.id)
  const query = db
    .selectFrom('receivers')
    .select('id')
    .where(isOneOf(db, 'id', ids))
  return lockRows(db, query.orderBy('id')).compile()
}

/** The delivery of an attempt, its queue and its lease. */
function identify({ claim }: FinishedAttempt) {
  const { deliveryNumber: delivery, receiver, repoId: repo, lease } = claim
  return { delivery, receiver: receiver.id, repo, replica: lease.replica, lease: lease.number }
}

const identity = { delivery: 'bigint', receiver: 'text', repo: 'text', replica: 'text', lease: 'bigint' } as const

/** Whether the queue of a row still has its lease. */
const isLeased = sql`
  queues.receiver_id = rows.receiver and queues.repo_id = rows.repo
  and queues.leased_by = rows.replica and queues.lease_number = rows.lease`

/**
 * Removes delivered deliveries from `undelivered`: those of successful attempts, and those that had succeeded before.
 */
function removeDelivered(db: Database, finished: readonly FinishedAttempt[]) {
  const attempts = finished.map((attempt) => ({ ...identify(attempt), state: chooseState(attempt).state }))
  return sql`
    delete from undelivered where delivery_number in (
      select rows.delivery from ${rowsOf(db, attempts, { ...identity, state: 'text' })}
      inner join queues on ${isLeased}
      where rows.state = 'delivered' or exists (
        select 1 from undelivered as waiting
        where waiting.delivery_number = rows.delivery and waiting.state = 'delivered'
      )
    )`.compile(db)
}

/** Updates the deliveries that have not succeeded; undefined when all have. */
function rescheduleDeliveries(db: Database, finished: readonly FinishedAttempt[]) {
  const changes = finished.flatMap((attempt) => {
    const { state, dueAt } = chooseState(attempt)
    return state === 'delivered' ? [] : [{ ...identify(attempt), state, due_at: dueAt }]
  })
  if (changes.length === 0) return undefined
  // A delivery that was discarded meanwhile must not get a new due time. A copy that a replay sends once is given up.
  return sql`
    update undelivered set
      attempts = attempts + 1,
      state = coalesce(
        rows.state,
        case when rows.due_at is null and undelivered.state = 'pending' then 'dead' end,
        undelivered.state
      ),
      queue_position = case when rows.due_at is null then null else queue_position end,
      due_at = case
        when rows.due_at is null then null
        when undelivered.state = 'pending' then rows.due_at
        else undelivered.due_at
      end
    from ${rowsOf(db, changes, { ...identity, state: 'text', due_at: 'bigint' })}
    inner join queues on ${isLeased}
    where delivery_number = rows.delivery`.compile(db)
}

/** Chooses the new state of the delivery (null: unchanged) and its next due time (null: it no longer waits). */
function chooseState({ next }: FinishedAttempt) {
  if (next.kind === 'delivered') return { state: 'delivered', dueAt: null }
  if (next.kind === 'retry') return { state: null, dueAt: next.dueAt.getTime() }
  return { state: next.kind === 'failed' ? null : 'dead', dueAt: null }
}

/**
 * Records how many attempts each delivery took until it succeeded; undefined when each took one, with which it was
 * recorded.
 */
function recordAttemptCounts(db: Database, finished: readonly FinishedAttempt[]) {
  const counts = finished.flatMap((attempt) => {
    const { attempt: number } = attempt.claim
    return number === 1 ? [] : [{ ...identify(attempt), attempts: number }]
  })
  if (counts.length === 0) return undefined
  return sql`
    update deliveries set attempts = rows.attempts
    from ${rowsOf(db, counts, { ...identity, attempts: 'integer' })}
    inner join queues on ${isLeased}
    where deliveries.number = rows.delivery
      and not exists (select 1 from undelivered where delivery_number = deliveries.number)`.compile(db)
}

function insertAttempts(db: Database, finished: readonly FinishedAttempt[]) {
  const attempts = finished.map((attempt) => {
    const { claim, outcome } = attempt
    return {
      ...identify(attempt),
      number: claim.attempt,
      started_at: outcome.startedAt.getTime(),
      duration_ms: Math.round(outcome.durationMs),
      status: outcome.status,
      error: outcome.error && makeStorable(outcome.error),
      excerpt: outcome.responseExcerpt && makeStorable(outcome.responseExcerpt),
    }
  })
  const columns = {
    ...identity,
    number: 'integer',
    started_at: 'bigint',
    duration_ms: 'integer',
    status: 'integer',
    error: 'text',
    excerpt: 'text',
  } as const
  return sql<{ delivery_number: number }>`
    insert into attempts (delivery_number, number, started_at, duration_ms, status, error, response_excerpt)
    select
      rows.delivery, rows.number, rows.started_at, rows.duration_ms, rows.status, rows.error, rows.excerpt
    from ${rowsOf(db, attempts, columns)}
    inner join queues on ${isLeased}
    inner join deliveries on deliveries.number = rows.delivery
    returning delivery_number`.compile(db)
}

/**
 * Maximum number of stored attempts of a delivery: administrators can request any number, and each can store 16 KB of
 * an answer.
 */
export const maxStoredAttempts = 100

/** Deletes the attempts beyond the maximum; undefined when there are none. */
function deleteOldAttempts(db: Database, finished: readonly FinishedAttempt[]) {
  const surplus = finished.flatMap(({ claim: { deliveryNumber, attempt } }) =>
    attempt > maxStoredAttempts ? [{ delivery: deliveryNumber, number: attempt - maxStoredAttempts }] : [],
  )
  if (surplus.length === 0) return undefined
  return sql`
    delete from attempts where (delivery_number, number) in (
      select rows.delivery, rows.number from ${rowsOf(db, surplus, { delivery: 'bigint', number: 'integer' })}
    )`.compile(db)
}

/**
 * Whether a receiver is that of a row, whose queue still has its lease, and whose delivery was not deleted meanwhile.
 */
const isReceiverOfAttempt = sql`receivers.id = rows.receiver
  and exists (select 1 from queues where ${isLeased})
  and exists (select 1 from deliveries where deliveries.number = rows.delivery)`

/** Disables the receivers that refused further notifications or failed too often; undefined when there are none. */
function disableReceivers(db: Database, finished: readonly FinishedAttempt[], now: Date) {
  const disabled = finished.flatMap((attempt) => {
    const { next } = attempt
    if (next.kind !== 'gone' && next.kind !== 'dead') return []
    return [{ ...identify(attempt), reason: makeStorable(next.disableReason) }]
  })
  if (disabled.length === 0) return undefined
  return sql`
    update receivers set
      is_enabled = 0,
      disabled_reason = rows.reason,
      updated_at = ${now.getTime()},
      version = version + 1
    from ${rowsOf(db, disabled, { ...identity, reason: 'text' })}
    where ${isReceiverOfAttempt}`.compile(db)
}

/**
 * Records which receivers accepted a delivery, and since when and why the others fail. Deliveries that an administrator
 * requested count too, so that a replay to a receiver that hangs takes the slots of failing receivers. Attempts whose
 * deliveries were deleted do not count.
 */
function recordReceiverHealth(db: Database, finished: readonly FinishedAttempt[], now: Date) {
  // A receiver can have several finished attempts, each of another repository. The last one counts.
  const byReceiver = new Map(finished.map((attempt) => [attempt.claim.receiver.id, attempt]))
  const attempts = [...byReceiver.values()].map((attempt) => ({
    ...identify(attempt),
    is_success: attempt.next.kind === 'delivered' ? 1 : 0,
    failure: writeFailure(attempt.outcome),
  }))
  const at = now.getTime()
  const isSuccess = sql`rows.is_success = 1`
  return sql`
    update receivers set
      last_success_at = case when ${isSuccess} then ${at} else last_success_at end,
      failing_since = case when ${isSuccess} then null else coalesce(failing_since, ${at}) end,
      last_failure = case when ${isSuccess} then null else rows.failure end,
      is_failure_noticed = case when ${isSuccess} then 0 else is_failure_noticed end
    from ${rowsOf(db, attempts, { ...identity, is_success: 'integer', failure: 'text' })}
    where ${isReceiverOfAttempt}`.compile(db)
}

function writeFailure({ status, error }: AttemptOutcome): string | null {
  if (error === null) return null
  return JSON.stringify({ status, error: makeStorable(error) } satisfies LastFailure)
}

/** Releases the queues, and sets when they are due next. */
function releaseQueues(db: Database, finished: readonly FinishedAttempt[], now: Date) {
  return sql`
    update queues set leased_by = null, lease_number = null, due_at = ${selectFirstDue(now)}
    from ${rowsOf(db, finished.map(identify), identity)}
    where ${isLeased}`.compile(db)
}
