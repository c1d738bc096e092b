import { sql } from 'kysely'
import { isOneOfNumbers } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { DatasetKey } from '../search/read-shards.ts'

/** Lists the datasets of these shards that are retracted as a whole, at the snapshot that was indexed. */
export async function listRetractedDatasets(db: Database, shards: readonly number[]): Promise<readonly DatasetKey[]> {
  // SQLite keeps the order of a `cross join`, and most repositories have no retractions.
  const { rows } = await sql<DatasetKey>`
    select distinct search_datasets.shard, search_datasets.number
    from search_shards
      cross join remarks
      join heads on heads.repo_id = search_shards.repo_id and heads.branch = search_shards.branch
      join search_datasets on search_datasets.shard = search_shards.id
    where ${isOneOfNumbers(db, sql`search_shards.id`, shards)}
      and remarks.repo_id = search_shards.repo_id and remarks.kind = 'retraction'
      and (remarks.ref is null or remarks.ref = heads.branch)
      and (remarks.path is null or search_datasets.path = remarks.path
        or substr(search_datasets.path, 1, length(remarks.path) + 1) = remarks.path || '/')
      and (remarks.from_id is null or exists (
        select 1 from remark_snapshots
        where remark_id = remarks.id
          and remark_snapshots.snapshot_id = coalesce(nullif(heads.indexed_snapshot_id, ''), heads.snapshot_id)
      ))`.execute(db)
  return rows
}
