// Which receivers get an event.
import type { EventName } from '@floe/contract/lists'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { matchesSome } from '../../../globs.ts'
import { isOneOf, lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { defaultFilter, parseEvents, parsePatterns, parseVerdicts, writeFilter } from '../receivers/receivers.ts'
import type { MoveChanges, NewEvent } from './new-event.ts'

/**
 * Locks the receivers that may get one of these events, and lists for each event the ids of those that select it. Only
 * receivers of organisations get notices.
 */
export async function listSelecting(
  tx: Database,
  events: readonly Pick<NewEvent, 'repoId' | 'receiverId' | keyof Selected>[],
): Promise<readonly (readonly string[])[]> {
  const names = [...new Set(events.map(({ name }) => name))]
  const query = selectReceivers(tx, [...new Set(events.map(({ repoId }) => repoId))])
    .select(['repositories.id as repo_id', 'receivers.repo_id as owner_id'])
    .where(mayName(names))
  const rows = await lockRows(tx, query, 'receivers').execute()
  const byRepository = Map.groupBy(rows, (row) => row.repo_id)
  return events.map((event) =>
    (byRepository.get(event.repoId) ?? [])
      .filter((row) => row.id !== event.receiverId && (event.ref.kind !== 'notice' || row.owner_id === null))
      .filter((row) => selects(row, event))
      .map(({ id }) => id),
  )
}

/** Whether the filter of a receiver names one of these events. */
export function mayName(names: readonly EventName[]): RawBuilder<SqlBool> {
  return sql`(${sql.join(
    names.map((name) => sql`receivers.events like ${`%"${name}"%`}`),
    sql` or `,
  )})`
}

/** Selects the receivers of repositories and of their organisations, in the order of their ids. */
export function selectReceivers(db: Database, repoIds: readonly string[]) {
  // As in the index of aliases. With an `or`, SQLite would read all receivers of the organisation.
  const isFollowing = sql<SqlBool>`coalesce(receivers.repo_id, '') in ('', repositories.id)`
  return db
    .selectFrom('receivers')
    .innerJoin('repositories', 'repositories.org', 'receivers.org')
    .where(isOneOf(db, 'repositories.id', repoIds))
    .where(isFollowing)
    .select(['receivers.id', 'repos', 'events', 'branches', 'paths', 'search', 'compatibility', 'includes_changes'])
    .select('repositories.name as repo')
    .orderBy('receivers.id')
}

type FilterRow = Awaited<ReturnType<ReturnType<typeof selectReceivers>['executeTakeFirstOrThrow']>>

/** The filter of a receiver that sets none, as it is stored. */
export const defaultColumns = writeFilter(defaultFilter)

/** What decides who selects an event. Without a verdict, `SchemaChanged` is selected by all who select some of it. */
type Selected = Pick<NewEvent, 'name' | 'ref' | 'changes' | 'verdict'>

export function selects(row: FilterRow, { name, ref, changes, verdict }: Selected): boolean {
  if (!parseEvents(row.events).includes(name)) return false
  if (row.repos !== null && !matchesSome(parsePatterns(row.repos), row.repo)) return false
  if ('name' in ref && ref.kind !== 'tag' && !selectsBranch(row, ref.name)) return false
  if (verdict !== undefined && !parseVerdicts(row.compatibility).includes(verdict)) return false
  // A head move is also sent if its changes are unknown.
  return !moveEvents.has(name) || changes === undefined || selectsChanges(row, changes)
}

function selectsChanges(
  { paths, search }: Pick<FilterRow, 'paths' | 'search'>,
  { matches, found }: MoveChanges,
): boolean {
  return (matches.get(paths) ?? true) && (search === null || (found.get(search) ?? true))
}

/** The events about a head move. */
export const moveEvents: ReadonlySet<EventName> = new Set(['NewCommit', 'SchemaChanged'])

function selectsBranch({ branches }: Pick<FilterRow, 'branches'>, branch: string): boolean {
  return branches === defaultColumns.branches ? branch === 'main' : matchesSome(parsePatterns(branches), branch)
}
