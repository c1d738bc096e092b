// Expressions about a delivery, for statements that join `deliveries`, `events` and `undelivered`.
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

/** The state of a delivery: one that is not in `undelivered` has succeeded. */
export const storedState = sql<StoredDeliveryState>`coalesce(undelivered.state, 'delivered')`

/** Number of attempts of a delivery. */
export const attemptCount = sql<number>`coalesce(undelivered.attempts, deliveries.attempts)`
