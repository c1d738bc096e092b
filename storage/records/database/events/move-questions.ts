// What receivers and streams ask about a head move before it is recorded.
import type { ChangeVerdict, SearchConditions } from '@floe/contract/lists'
import { sql } from 'kysely'
import type { Database } from '../open-database.ts'
import { parsePatterns, parseSearch, parseVerdicts } from '../receivers/receivers.ts'
import { defaultColumns, moveEvents, selectReceivers, selects } from './select-receivers.ts'

/** What receivers and streams ask about a branch's head moves. */
export type MoveQuestions = {
  /** Lists of patterns of paths, by their text in the database. */
  readonly paths: ReadonlyMap<string, readonly string[]>
  /** Searches, by their text in the database. */
  readonly searches: ReadonlyMap<string, SearchConditions>
  /** Whether a payload must say what changed. */
  readonly includesChanges: boolean
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
    .clearOrderBy()
    .select(sql<string | null>`null`.as('names'))
    .where((eb) =>
      eb.or([
        eb('paths', '<>', defaultColumns.paths),
        eb('search', 'is not', null),
        eb('includes_changes', '=', 1),
        eb('events', 'like', '%"SchemaChanged"%'),
      ]),
    )
  const rows = await receivers.unionAll(selectStreams(db, repoId, now)).execute()
  const ref = { kind: 'branch' as const, name: branch }
  const ofBranch = rows.filter(({ names, repo }) => names === null || parsePatterns(names).includes(repo))
  const asking = ofBranch.filter((row) => [...moveEvents].some((name) => selects(row, { name, ref })))
  if (asking.length === 0) return undefined
  const filtered = asking.filter(({ paths }) => paths !== defaultColumns.paths)
  const judging = asking.filter((row) => selects(row, { name: 'SchemaChanged', ref }))
  return {
    paths: new Map(filtered.map(({ paths }) => [paths, parsePatterns(paths)])),
    searches: new Map(asking.flatMap(({ search }) => (search === null ? [] : [[search, parseSearch(search)]]))),
    includesChanges: asking.some(({ includes_changes }) => includes_changes === 1),
    verdicts: new Set(judging.flatMap(({ compatibility }) => parseVerdicts(compatibility))),
  }
}

/** Selects the streams of the organisation of a repository that select `SchemaChanged`, in the form of receivers. */
function selectStreams(db: Database, repoId: string, now: Date) {
  return db
    .selectFrom('stream_selections')
    .innerJoin('repositories', (join) =>
      join.onRef('repositories.org', '=', 'stream_selections.org').on('repositories.id', '=', repoId),
    )
    .where('wanted_until', '>', now.getTime())
    .where('compatibility', 'is not', null)
    .select(['stream_selections.id', 'repos', sql<string>`'["SchemaChanged"]'`.as('events')])
    .select(sql<string>`stream_selections.branches`.as('branches'))
    .select(sql<string>`cast(${defaultColumns.paths} as text)`.as('paths'))
    .select(sql<string | null>`null`.as('search'))
    .select(sql<string>`compatibility`.as('compatibility'))
    .select([sql<0 | 1>`0`.as('includes_changes'), 'repositories.name as repo', 'names'])
}
