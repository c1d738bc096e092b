// Ends the leases of queues whose replicas have ended, so that their deliveries are repeated at once.
import { randomUUID } from 'node:crypto'
import { sql, type SqlBool } from 'kysely'
import type { Database } from '../open-database.ts'
import { selectFirstDue } from '../receivers/queue.ts'

/** Makes a token for leases of a replica. */
export function makeLeaseToken(replica: string): string {
  return `${leasePrefix(replica)}${randomUUID()}`
}

function leasePrefix(replica: string): string {
  return `${replica}/`
}

/** Compiles the statement that releases the queues that these replicas have leased. */
export function releaseLeases(db: Database, replicas: readonly string[], now: Date) {
  return db
    .updateTable('queues')
    .set({ lease_token: null, due_at: selectFirstDue(now) })
    .where('lease_token', 'is not', null)
    .where((eb) =>
      eb.or(
        replicas.map(leasePrefix).map((prefix) => sql<SqlBool>`substr(lease_token, 1, ${prefix.length}) = ${prefix}`),
      ),
    )
    .compile()
}
