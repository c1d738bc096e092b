import { sql } from 'kysely'
import type { Database } from '../open-database.ts'
import type { ReceiverOwner } from '../receivers/receivers.ts'
import { attemptCount, isOf, storedState } from './stored-delivery.ts'

/**
 * How many deliveries of events since a time were accepted or failed. Those without an attempt count as neither, and
 * those in digests not at all.
 */
export type DeliveryRates = {
  /** Events from this time on are counted. Later than asked for if there are very many deliveries. */
  readonly since: Date
  readonly accepted: number
  /** Deliveries that were given up or wait for another attempt. */
  readonly failed: number
  /** Half of the accepted deliveries took at most this time, from the event to the end of the answer. */
  readonly medianMs: number | null
}

/** Maximum number of deliveries to count, the newest ones. Open settings pages ask again and again. */
const maxCounted = 1_000

/** Counts the deliveries to the receivers of a repository, or to all receivers of an organisation. */
export async function readDeliveryRates(db: Database, owner: ReceiverOwner, since: Date): Promise<DeliveryRates> {
  // The newest deliveries without regard to their age, because an index has them in this order. What else is read of
  // them is joined afterwards: otherwise PostgreSQL may join all deliveries before it sorts them.
  const { rows } = await sql<Row>`
    with newest as (
      select deliveries.number, deliveries.attempts, events.created_at
      from deliveries
      inner join events on events.number = event_number
      where ${isOf(owner)} and digest_number is null
        and deliveries.receiver_id not in (select id from deleted_receivers)
      order by event_number desc limit ${maxCounted}
    ),
    recent as (
      select ${storedState} as state, ${attemptCount} as attempts,
        case when error is null then started_at + duration_ms - created_at end as took
      from newest as carrying
      left join undelivered on undelivered.delivery_number = carrying.number
      left join attempts on attempts.delivery_number = carrying.number and attempts.number = ${attemptCount}
      where created_at >= ${since.getTime()}
    ),
    times as (select took from recent where state = 'delivered' and took is not null)
    select
      (select count(*) from newest) as counted,
      (select min(created_at) from newest) as oldest,
      (select count(*) from recent where state = 'delivered') as accepted,
      (select count(*) from recent where state = 'dead' or (state = 'pending' and attempts > 0)) as failed,
      (select took from times order by took limit 1 offset (select (count(*) - 1) / 2 from times)) as median
  `.execute(db)
  const { counted = 0, oldest = null, accepted = 0, failed = 0, median = null } = rows[0] ?? {}
  const isCut = counted === maxCounted && oldest !== null && oldest > since.getTime()
  return { since: isCut ? new Date(oldest) : since, accepted, failed, medianMs: median }
}

type Row = {
  readonly counted: number
  readonly oldest: number | null
  readonly accepted: number
  readonly failed: number
  readonly median: number | null
}
