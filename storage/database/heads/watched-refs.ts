// What was last seen of the branches and tags that are watched besides `main`.
import { sql } from 'kysely'
import { listRecords, isOneOf } from '../engine.ts'
import type { Database } from '../open-database.ts'
import { type BranchHead, type Head, insertHeads } from './heads.ts'
import { removeBranches } from '../search/index-heads.ts'
import { type WatchedSelection, writeSelection } from './selection.ts'

/** The branches and tags of a repository that were last seen, without `main`. */
export type WatchedRefs = {
  readonly branches: ReadonlyMap<string, Pick<Head, 'snapshotId' | 'sequence'>>
  readonly tags: ReadonlyMap<string, string>
}

export async function readWatchedRefs(db: Database, repoId: string): Promise<WatchedRefs> {
  const heads = await db
    .selectFrom('heads')
    .select(['branch', 'snapshot_id as snapshotId', 'sequence'])
    .where('repo_id', '=', repoId)
    .where('branch', '<>', 'main')
    .orderBy('branch')
    .execute()
  const tags = await db.selectFrom('tags').select(['tag', 'snapshot_id']).where('repo_id', '=', repoId).execute()
  return {
    branches: new Map(heads.map(({ branch, ...head }) => [branch, head])),
    tags: new Map(tags.map(({ tag, snapshot_id }) => [tag, snapshot_id])),
  }
}

/** A change of what is watched of a repository. */
export type SelectionChange = {
  readonly repoId: string
  /** The recorded selection. */
  readonly from: WatchedSelection
  readonly to: WatchedSelection
  /** Branches that are watched from now on, with their heads: what happened to them before is no event. */
  readonly branches: readonly BranchHead[]
  /** Tags that exist, if tags are watched from now on; by name. */
  readonly tags: ReadonlyMap<string, string>
  /** Recorded branches that are no longer watched. */
  readonly forgotten: readonly string[]
}

/** Records what is watched from now on, in one transaction. Does nothing if another process has changed the selection meanwhile. */
export async function changeSelection(db: Database, change: SelectionChange, now: Date): Promise<void> {
  const { repoId, from, to, branches, tags, forgotten } = change
  await db.transaction().execute(async (tx) => {
    const text = writeSelection(from)
    const { numUpdatedRows } = await tx
      .updateTable('repositories')
      .set({ watched: writeSelection(to) })
      .where('id', '=', repoId)
      .where('watched', text === null ? 'is' : '=', text)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await tx
      .deleteFrom('heads')
      .where('repo_id', '=', repoId)
      .where('branch', '<>', 'main')
      .where(isOneOf(tx, 'branch', forgotten))
      .execute()
    await removeBranches(tx, repoId, forgotten)
    if (!to.tags) await tx.deleteFrom('tags').where('repo_id', '=', repoId).execute()
    await insertHeads(tx, branches, now)
    await insertTags(tx, repoId, tags)
  })
}

async function insertTags(tx: Database, repoId: string, tags: ReadonlyMap<string, string>): Promise<void> {
  if (tags.size === 0) return
  const records = [...tags].map(([tag, snapshotId]) => ({ tag, snapshotId }))
  await sql`
    insert into tags (repo_id, tag, snapshot_id)
    select ${repoId}, item.value ->> 'tag', item.value ->> 'snapshotId'
    from ${listRecords(tx, records)}
    where true
    on conflict (repo_id, tag) do nothing`.execute(tx)
}
