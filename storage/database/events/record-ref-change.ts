import { type BranchHead, type Head, insertHead } from '../heads/heads.ts'
import type { Database } from '../open-database.ts'
import { removeBranches } from '../search/index-heads.ts'
import { type EventTexts, nextSequence, recordEvent } from './record-event.ts'
import type { RecordedChange } from './record-head-move.ts'

/** A branch that was created. */
export type NewBranch = BranchHead & {
  readonly event: EventTexts
  /** The event of its head, if that is a commit that no watched branch had reached. */
  readonly firstCommit: EventTexts | undefined
}

type NamedBranch = { readonly repoId: string; readonly branch: string }
type NamedTag = { readonly repoId: string; readonly tag: string; readonly snapshotId: string }

/** Records a branch that was created, with its head and its events, in one transaction. */
export function recordBranchCreated(db: Database, created: NewBranch, now: Date): Promise<RecordedChange> {
  const { repoId, branch, event, firstCommit } = created
  const ref = { kind: 'branch' as const, name: branch }
  return db.transaction().execute(async (tx) => {
    const sequence = await nextSequence(tx, repoId, ref)
    const last = firstCommit === undefined ? sequence : sequence + 1
    if (!(await insertHead(tx, created, last, now))) return { kind: 'outdated' }
    const eventId = await recordEvent(tx, { repoId, ref, name: 'BranchCreated', sequence, ...event }, now)
    if (firstCommit !== undefined) {
      await recordEvent(tx, { repoId, ref, name: 'NewCommit', sequence: last, ...firstCommit }, now)
    }
    return { kind: 'recorded', eventId }
  })
}

/** Records that a branch was deleted, and forgets its head, in one transaction. */
export function recordBranchDeleted(
  db: Database,
  deleted: NamedBranch & { readonly last: Pick<Head, 'snapshotId' | 'sequence'>; readonly event: EventTexts },
  now: Date,
): Promise<RecordedChange> {
  const { repoId, branch, last, event } = deleted
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('heads')
      .where('repo_id', '=', repoId)
      .where('branch', '=', branch)
      .where('snapshot_id', '=', last.snapshotId)
      .where('sequence', '=', last.sequence)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return { kind: 'outdated' }
    await removeBranches(tx, repoId, [branch])
    const ref = { kind: 'branch' as const, name: branch }
    const sequence = last.sequence + 1
    const eventId = await recordEvent(tx, { repoId, ref, name: 'BranchDeleted', sequence, ...event }, now)
    return { kind: 'recorded', eventId }
  })
}

/** Records that a tag was created or deleted, in one transaction. */
export function recordTagChange(
  db: Database,
  change: NamedTag & { readonly name: 'TagCreated' | 'TagDeleted'; readonly event: EventTexts },
  now: Date,
): Promise<RecordedChange> {
  const { repoId, tag, name, event } = change
  const ref = { kind: 'tag' as const, name: tag }
  return db.transaction().execute(async (tx) => {
    const isNew = name === 'TagCreated' ? await addTag(tx, change) : await removeTag(tx, change)
    if (!isNew) return { kind: 'outdated' }
    const sequence = await nextSequence(tx, repoId, ref)
    const eventId = await recordEvent(tx, { repoId, ref, name, sequence, ...event }, now)
    return { kind: 'recorded', eventId }
  })
}

async function addTag(tx: Database, { repoId, tag, snapshotId }: NamedTag): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('tags')
    .values({ repo_id: repoId, tag, snapshot_id: snapshotId })
    .onConflict((conflict) => conflict.columns(['repo_id', 'tag']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

async function removeTag(tx: Database, { repoId, tag, snapshotId }: NamedTag): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('tags')
    .where('repo_id', '=', repoId)
    .where('tag', '=', tag)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
