// Which receivers get an event.
import type { EventName } from '@floe/contract/lists'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { makeFilterReader, matchesFilter } from '../../event-filter.ts'
import { isOneOf, lockRows } from '../engine/engine.ts'
import { branchOf } from '../heads/ref-text.ts'
import type { Database } from '../open-database.ts'
import type { NewEvent } from './new-event.ts'

/** What decides who selects an event. */
type Selected = Pick<NewEvent, 'repoId' | 'receiverId' | 'name' | 'ref' | 'expectationKind' | 'verdict' | 'changes'>

/**
 * Locks the receivers that may get one of these events, and lists for each event the ids of those that select it. Only
 * receivers of organisations get notices.
 */
export async function listSelecting(
  tx: Database,
  events: readonly Selected[],
): Promise<readonly (readonly string[])[]> {
  const names = [...new Set(events.map(({ name }) => name))]
  const query = selectReceivers(tx, [...new Set(events.map(({ repoId }) => repoId))])
    .select(['receivers.id', 'repositories.id as repo_id', 'receivers.repo_id as owner_id'])
    .where(mayName(names))
    .orderBy('receivers.id')
  const rows = await lockRows(tx, query, 'receivers').execute()
  const byRepository = Map.groupBy(rows, (row) => row.repo_id)
  const read = makeFilterReader()
  return events.map(({ repoId, receiverId, ref, ...event }) => {
    const asked = byRepository.get(repoId) ?? []
    const texts = new Map(asked.map(({ filter, repo }) => [filter, repo]))
    const selecting = new Set(
      [...texts].flatMap(([text, repo]) =>
        matchesFilter(read(text), { ...event, repo, branch: branchOf(ref) }) ? [text] : [],
      ),
    )
    return asked
      .filter((row) => selecting.has(row.filter) && row.id !== receiverId)
      .filter((row) => ref.kind !== 'notice' || row.owner_id === null)
      .map(({ id }) => id)
  })
}

/** Whether the filter of a receiver may select one of these events: their names are in its text. */
export function mayName(names: readonly EventName[]): RawBuilder<SqlBool> {
  return sql`(${sql.join(
    names.map((name) => sql`receivers.filter like ${`%"${name}"%`}`),
    sql` or `,
  )})`
}

/** Selects the filters of the receivers of repositories and of their organisations. */
export function selectReceivers(db: Database, repoIds: readonly string[]) {
  // As in the index of aliases. With an `or`, SQLite would read all receivers of the organisation.
  const isFollowing = sql<SqlBool>`coalesce(receivers.repo_id, '') in ('', repositories.id)`
  return db
    .selectFrom('receivers')
    .innerJoin('repositories', 'repositories.org', 'receivers.org')
    .where(isOneOf(db, 'repositories.id', repoIds))
    .where(isFollowing)
    .select(['filter', 'repositories.name as repo'])
}
