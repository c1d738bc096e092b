import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Database } from '../open-database.ts'
import { isPending } from '../receivers/queue.ts'
import { toDate } from '../to-date.ts'

/**
 * What waits to be delivered, for all processes together. Queues of disabled receivers do not count: they have no due
 * time.
 */
export type QueueState = {
  /** Deliveries that wait or are under way, counted up to {@link maxCounted}. */
  readonly waiting: number
  /**
   * When the event that has waited longest was recorded, without redeliveries, replays and what waits for a digest;
   * null when none waits.
   */
  readonly oldestAt: Date | null
  /** When the next queue is due whose delivery is not under way; null when none waits. */
  readonly dueAt: Date | null
}

/** Maximum number of deliveries to count, so that long queues do not slow the query. */
export const maxCounted = 10_000

/** Number of queues to search for the oldest event: those due first, besides those under way. */
const maxSearched = 1_000

export async function readQueueState(db: Database): Promise<QueueState> {
  const select = (isChosen: RawBuilder<SqlBool>) => sql`
    select receiver_id, repo_id, due_at from queues where due_at > 0 and ${isChosen}`
  const dueFirst = sql`${select(sql`leased_by is null`)} order by due_at`
  const underWay = select(sql`leased_by is not null`)
  const list = (limit: number) => sql`select * from (${dueFirst} limit ${limit}) as due_first union all ${underWay}`
  const waiting = sql<number>`(select count(*) from (
    select 1 from (${list(maxCounted)}) as queues
    cross join undelivered
    where undelivered.receiver_id = queues.receiver_id and undelivered.repo_id = queues.repo_id
      and undelivered.queue_position >= 0
    limit ${maxCounted}
  ) as counted)`
  const first = sql`(
    select events.created_at from undelivered
    inner join deliveries on deliveries.number = delivery_number
    inner join events on events.number = event_number
    where undelivered.receiver_id = queues.receiver_id and undelivered.repo_id = queues.repo_id and ${isPending}
      and awaits_digest = 0
    order by queue_position limit 1
  )`
  const oldest = sql<number | null>`(select min(created_at) from (
    select ${first} as created_at from (${list(maxSearched)}) as queues
  ) as firsts)`
  const due = sql<number | null>`(select due_at from (${dueFirst} limit 1) as next)`
  const state = await db
    .selectNoFrom([waiting.as('waiting'), oldest.as('oldest'), due.as('due')])
    .executeTakeFirstOrThrow()
  return { waiting: state.waiting, oldestAt: toDate(state.oldest), dueAt: toDate(state.due) }
}
