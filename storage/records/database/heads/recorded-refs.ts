// The recorded branches and tags of repositories, besides `main`.
import { sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { rowsOf } from '../engine/rows-of.ts'
import { removeBranches } from '../search/reset-index.ts'
import { type BranchHead, type Head, insertNewHeads } from './heads.ts'
import { type RefSelection, writeSelection } from './ref-selection.ts'
import { transact } from '../transact.ts'

/** The branches and tags of a repository as they were recorded last, without `main`. */
export type RecordedRefs = {
  readonly branches: ReadonlyMap<string, Pick<Head, 'snapshotId' | 'sequence'>>
  /** Ids of snapshots by the name of the tag. */
  readonly tags: ReadonlyMap<string, string>
}

export async function readRecordedRefs(db: Database, repoId: string): Promise<RecordedRefs> {
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

/** A change of the recorded selection of a repository. */
export type SelectionChange = {
  readonly repoId: string
  /** The recorded selection. */
  readonly from: RefSelection
  readonly to: RefSelection
  /** Newly selected branches with their heads. Earlier changes of them cause no events. */
  readonly addedBranches: readonly BranchHead[]
  /** Ids of snapshots by the name of the tag, if tags are newly selected. */
  readonly addedTags: ReadonlyMap<string, string>
  /** Recorded branches that are no longer selected. */
  readonly removedBranches: readonly string[]
}

/**
 * Records another selection, and the refs that it adds and removes, in one transaction. Does nothing if another process
 * has changed the selection meanwhile.
 */
export async function changeSelection(db: Database, change: SelectionChange, now: Date): Promise<void> {
  const { repoId, from, to, addedBranches, addedTags, removedBranches } = change
  await transact(db, async (tx) => {
    const text = writeSelection(from)
    const { numUpdatedRows } = await tx
      .updateTable('repositories')
      .set({ recorded_selection: writeSelection(to) })
      .where('id', '=', repoId)
      .where('recorded_selection', text === null ? 'is' : '=', text)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await tx
      .deleteFrom('heads')
      .where('repo_id', '=', repoId)
      .where('branch', '<>', 'main')
      .where(isOneOf(tx, 'branch', removedBranches))
      .execute()
    await removeBranches(tx, repoId, removedBranches)
    if (!to.tags) await tx.deleteFrom('tags').where('repo_id', '=', repoId).execute()
    await insertNewHeads(tx, addedBranches, now)
    await insertTags(tx, repoId, addedTags)
  })
}

/** Another selection of a repository that adds and removes no recorded branch or tag. */
export type NewSelection = Pick<SelectionChange, 'repoId' | 'from' | 'to'>

/**
 * Records other selections of many repositories in one statement. Skips those whose selection another process has
 * changed meanwhile.
 *
 * @returns the ids of the repositories whose selection was recorded
 */
export async function recordSelections(
  db: Database,
  selections: readonly NewSelection[],
): Promise<ReadonlySet<string>> {
  const records = selections.map(({ repoId, from, to }) => ({
    id: repoId,
    before: writeSelection(from),
    after: writeSelection(to),
  }))
  // In order, so that processes that record the same repositories do not deadlock.
  const sorted = records.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const { rows } = await sql<{ id: string }>`
    update repositories set recorded_selection = rows.after
    from ${rowsOf(db, sorted, { id: 'text', before: 'text', after: 'text' })}
    where repositories.id = rows.id and recorded_selection is not distinct from rows.before
    returning repositories.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function insertTags(tx: Database, repoId: string, tags: ReadonlyMap<string, string>): Promise<void> {
  if (tags.size === 0) return
  const records = [...tags].map(([tag, snapshotId]) => ({ tag, snapshot_id: snapshotId }))
  await sql`
    insert into tags (repo_id, tag, snapshot_id)
    select ${repoId}, rows.tag, rows.snapshot_id from ${rowsOf(tx, records, { tag: 'text', snapshot_id: 'text' })}
    where true
    on conflict (repo_id, tag) do nothing`.execute(tx)
}
