// Counts of calls that all replicas add to and read, so that a limit holds for all of them together.
import { sql } from 'kysely'
import type { Database } from '../open-database.ts'

/** Calls by name until some time, in milliseconds since 1970. */
export type CallCount = { readonly name: string; readonly calls: number; readonly endsAt: number }

/** Rows that one statement writes. PostgreSQL allows 65,535 parameters, SQLite 32,766; a row has four. */
const rowsOfStatement = 1_000

/** Adds calls to the counts. A count that has ended begins anew. */
export async function addCalls(db: Database, added: readonly CallCount[], now: number): Promise<void> {
  // In order, so that replicas which add at the same time cannot deadlock.
  const rows = [...added]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, calls, endsAt }) => ({ name, calls, ends_at: endsAt, changed_at: now }))
  for (let start = 0; start < rows.length; start += rowsOfStatement) {
    await db
      .insertInto('call_counts')
      .values(rows.slice(start, start + rowsOfStatement))
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((eb) => {
          const hasEnded = eb('call_counts.ends_at', '<=', now)
          const sum = sql<number>`call_counts.calls + excluded.calls`
          return {
            calls: eb.case().when(hasEnded).then(eb.ref('excluded.calls')).else(sum).end(),
            ends_at: eb
              .case()
              .when(hasEnded)
              .then(eb.ref('excluded.ends_at'))
              .else(eb.ref('call_counts.ends_at'))
              .end(),
            changed_at: now,
          }
        }),
      )
      .execute()
  }
}

/** Lists the counts that have changed since some time and not ended, those that changed last first. */
export async function listCallCounts(
  db: Database,
  { since, now, limit }: { readonly since: number; readonly now: number; readonly limit: number },
): Promise<CallCount[]> {
  return db
    .selectFrom('call_counts')
    .select(['name', 'calls', 'ends_at as endsAt'])
    .where('changed_at', '>=', since)
    .where('ends_at', '>', now)
    .orderBy('changed_at', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes counts that have not changed since some time, in milliseconds since 1970. */
export async function deleteCallCounts(db: Database, before: number): Promise<void> {
  await db.deleteFrom('call_counts').where('changed_at', '<', before).execute()
}
