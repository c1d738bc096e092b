// Expressions about a delivery, for statements that join `deliveries`, `events` and `undelivered`. Attempts are those
// of the delivery `carrying`, which is another one if it is part of a digest.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { StoredDeliveryState } from '../notification-tables.ts'
import type { ReceiverOwner } from '../receivers/receivers.ts'

/**
 * Whether a delivery goes to a receiver of a repository, or to any receiver of an organisation and its repositories.
 * `table`: the one whose index by owner is to be used.
 */
export function isOf(
  { org, repoId }: ReceiverOwner,
  table: 'deliveries' | 'undelivered' = 'deliveries',
): RawBuilder<SqlBool> {
  if (repoId === null) return sql`${sql.ref(`${table}.org`)} = ${org}`
  return sql`${sql.ref(`${table}.receiver_repo_id`)} = ${repoId}`
}

/** The number of the delivery whose request carries a delivery: its own, or that of its digest. */
export const carryingNumber = sql<number>`coalesce(deliveries.digest_number, deliveries.number)`

/** The state of a delivery: one that is not in `undelivered` has succeeded. */
export const storedState = sql<StoredDeliveryState>`coalesce(undelivered.state, 'delivered')`

/** Number of attempts of a delivery. */
export const attemptCount = sql<number>`coalesce(undelivered.attempts, carrying.attempts)`
