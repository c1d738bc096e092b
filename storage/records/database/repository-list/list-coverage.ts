// What the index of search knows of whole repositories.
import { sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { type ShardBounds, timeLimits } from '../search/search-tables.ts'

/** The datasets of `main` of a repository: their number, and the box and the period in which they are. */
export type Coverage = {
  readonly datasets: number
  /** The title of the only dataset; null if it has none, or if there are more. */
  readonly onlyTitle: string | null
  /** West, south, east and north in degrees; null if no dataset states a box. */
  readonly box: readonly [west: number, south: number, east: number, north: number] | null
  /** Null if no dataset states a period. A null in it is an open end. */
  readonly period: { readonly start: Date | null; readonly end: Date | null } | null
}

/** Lists the coverage of these repositories by name. Those that are not indexed are omitted. */
export async function listCoverage(
  db: Database,
  org: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Coverage>> {
  const { rows } = await sql<ShardBounds & { name: string; datasets: number; title: string | null }>`
    select name, coalesce(sum(datasets), 0) + index_omitted as datasets, max(title) as title,
      min(west) as west, min(south) as south, max(east) as east, max(north) as north,
      min(starts_at) as starts_at, max(ends_at) as ends_at
    from repositories
    join heads on heads.repo_id = repositories.id and heads.branch = 'main'
    left join search_shards on search_shards.repo_id = heads.repo_id and search_shards.branch = heads.branch
    left join search_datasets on shard = search_shards.id and datasets = 1
    where repositories.org = ${org} and ${isOneOf(db, 'name', names)}
      and indexed_snapshot_id <> '' and index_is_gone = 0
    group by name, index_omitted`.execute(db)
  return new Map(
    rows.map(({ name, datasets, title, west, south, east, north, starts_at: start, ends_at: end }) => {
      const box = west === null ? null : ([west, south ?? 0, east ?? 0, north ?? 0] as const)
      const period = start === null || end === null ? null : { start: toTime(start), end: toTime(end) }
      return [name, { datasets, onlyTitle: datasets === 1 ? title : null, box, period }]
    }),
  )
}

function toTime(ms: number): Date | null {
  return ms <= timeLimits.first || ms >= timeLimits.last ? null : new Date(ms)
}
