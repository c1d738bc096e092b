// The numbers of the events of each branch, tag and expectation of a branch, and of the notices of a repository.
import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely'
import { rowsOf } from '../engine/rows-of.ts'
import type { Database } from '../open-database.ts'
import type { Tables } from '../tables.ts'

/**
 * An expression for a number that no event of a ref exceeds, stored or deleted: the number of its last event, or the
 * highest of all deleted events of the repository. 0 before the first event.
 *
 * @param ref the text of `writeRef`
 */
export function lastSequence(repoId: RawBuilder<unknown>, ref: RawBuilder<unknown>): RawBuilder<number> {
  return sql`coalesce((
    select max(last) from (
      select max(sequence) as last from events where events.repo_id = ${repoId} and events.ref = ${ref}
      union all
      select deleted_sequence from repositories where repositories.id = ${repoId}
    ) as numbers
  ), 0)`
}

/**
 * Compiles the statement that records the highest numbers of events that are deleted. It must come first in the
 * transaction that deletes them, because others lock the repository first too.
 */
export function recordDeletedSequences(
  db: Database,
  events: readonly Pick<Selectable<Tables['events']>, 'repo_id' | 'sequence'>[],
): CompiledQuery {
  const highest = new Map<string, number>()
  for (const { repo_id, sequence } of events) highest.set(repo_id, Math.max(sequence, highest.get(repo_id) ?? 0))
  // In order, so that processes that delete at the same time do not deadlock.
  const sorted = [...highest].map(([id, sequence]) => ({ id, sequence })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return sql`
    update repositories set deleted_sequence = rows.sequence
    from ${rowsOf(db, sorted, { id: 'text', sequence: 'bigint' })}
    where repositories.id = rows.id and deleted_sequence < rows.sequence`.compile(db)
}
