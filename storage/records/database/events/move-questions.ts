// What receivers and streams ask about a head move before it is recorded.
import { type ChangeVerdict, defaultFilter, type EventName, type SearchConditions } from '@floe/contract/lists'
import { sql } from 'kysely'
import { matchesFilter, moveEvents, readFilter, writeCondition, writeFilter } from '../../event-filter.ts'
import type { Database } from '../open-database.ts'
import { selectReceivers } from './select-receivers.ts'

/** What receivers and streams ask about a branch's head moves. */
export type MoveQuestions = {
  /** Lists of patterns of paths, by their {@link writeCondition}. */
  readonly paths: ReadonlyMap<string, readonly string[]>
  /** Searches, by their {@link writeCondition}. */
  readonly searches: ReadonlyMap<string, SearchConditions>
  /** Whether a payload must say what changed. */
  readonly wantsChanges: boolean
  /** The verdicts with which somebody wants `SchemaChanged`. */
  readonly verdicts: ReadonlySet<ChangeVerdict>
}

/** Lists what receivers and streams ask about the head moves of a branch; undefined when none asks. */
export async function listMoveQuestions(
  db: Database,
  { repoId, branch }: { readonly repoId: string; readonly branch: string },
  now: Date,
): Promise<MoveQuestions | undefined> {
  const receivers = selectReceivers(db, [repoId])
    .select(sql<string | null>`null`.as('names'))
    // Most receivers have one of these filters, which ask nothing.
    .where('filter', 'not in', [writeFilter(defaultFilter), writeFilter({ ...defaultFilter, repos: ['**'] })])
  // Each filter once.
  const rows = await receivers.union(selectStreams(db, repoId, now)).execute()
  const reaching = rows.flatMap(({ filter, repo, names }) => {
    // Only `recordStreamSelections` writes the names.
    const isReached = names === null || (JSON.parse(names) as string[]).includes(repo)
    return isReached ? [{ repo, filter: readFilter(filter) }] : []
  })
  const selects =
    (name: EventName) =>
    ({ repo, filter }: (typeof reaching)[number]) =>
      matchesFilter(filter, { repo, name, branch })
  const asking = reaching
    .filter((row) => [...moveEvents].some((name) => selects(name)(row)))
    .map(({ filter }) => filter)
  const judging = reaching.filter(selects('SchemaChanged')).map(({ filter }) => filter)
  const paths = new Map(asking.map((filter) => [writeCondition(filter.paths), filter.paths]))
  paths.delete(writeCondition(defaultFilter.paths))
  const searches = new Map(asking.flatMap(({ search }) => (search === null ? [] : [[writeCondition(search), search]])))
  const wantsChanges = asking.some((filter) => filter.include_changes)
  const verdicts = new Set(judging.flatMap(({ compatibility }) => compatibility))
  const isAsked = wantsChanges || [paths, searches, verdicts].some(({ size }) => size > 0)
  return isAsked ? { paths, searches, wantsChanges, verdicts } : undefined
}

/** Selects the filters of the streams of the organisation of a repository that select `SchemaChanged`. */
function selectStreams(db: Database, repoId: string, now: Date) {
  return db
    .selectFrom('stream_selections')
    .innerJoin('repositories', (join) =>
      join.onRef('repositories.org', '=', 'stream_selections.org').on('repositories.id', '=', repoId),
    )
    .where('wanted_until', '>', now.getTime())
    .where('filter', 'is not', null)
    .select(['filter', 'repositories.name as repo', 'names'])
    .$narrowType<{ filter: string }>()
}
