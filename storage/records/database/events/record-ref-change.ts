import type { EventName } from '@floe/contract/lists'
import { type Head, type HeadCommit, insertHead } from '../heads/heads.ts'
import type { NamedRef } from '../heads/ref-text.ts'
import type { Database } from '../open-database.ts'
import { removeBranches } from '../search/reset-index.ts'
import type { EventTexts } from './new-event.ts'
import { rememberHead } from '../heads/seen-heads.ts'
import { nextSequence, recordEvents } from './record-events.ts'
import { transact } from '../transact.ts'

/** A branch or tag that was created (`from` is null) or deleted (`to` is null). */
export type RefChange = {
  readonly name: string
  /**
   * In order. If the head of a new branch is a commit that no other recorded branch has reached, `NewCommit` comes
   * second.
   */
  readonly events: readonly (EventTexts & { readonly name: EventName })[]
} & (
  | {
      readonly kind: 'branch'
      readonly from: null
      readonly to: { readonly snapshotId: string; readonly commit: HeadCommit }
    }
  | { readonly kind: 'branch'; readonly from: Pick<Head, 'snapshotId' | 'sequence'>; readonly to: null }
  | { readonly kind: 'tag'; readonly from: null; readonly to: { readonly snapshotId: string } }
  | { readonly kind: 'tag'; readonly from: { readonly snapshotId: string }; readonly to: null }
)

/**
 * Records such a change once, in one transaction: the ref, and the events with their deliveries.
 *
 * @returns false when another process recorded a change meanwhile, so that nothing was changed
 */
export function recordRefChange(db: Database, repoId: string, change: RefChange, now: Date): Promise<boolean> {
  const { kind, name, from, events } = change
  const ref: NamedRef = { kind, name }
  return transact(db, async (tx) => {
    const first = from !== null && 'sequence' in from ? from.sequence + 1 : await nextSequence(tx, repoId, ref)
    if (!(await changeRef(tx, { repoId, ...change }, first + events.length - 1, now))) return false
    if (kind === 'branch') await rememberHead(tx, repoId, name, now)
    const numbered = events.map((event, place) => ({ repoId, ref, sequence: first + place, ...event }))
    await recordEvents(tx, numbered, now)
    return true
  })
}

/** Records or deletes the ref. Returns false if the recorded ref is not `from`. */
async function changeRef(
  tx: Database,
  change: RefChange & { readonly repoId: string },
  sequence: number,
  now: Date,
): Promise<boolean> {
  const { repoId, kind, name, from, to } = change
  if (kind === 'branch') {
    if (to !== null) return insertHead(tx, { repoId, branch: name, ...to }, sequence, now)
    const { numDeletedRows } = await tx
      .deleteFrom('heads')
      .where('repo_id', '=', repoId)
      .where('branch', '=', name)
      .where('snapshot_id', '=', from.snapshotId)
      .where('sequence', '=', from.sequence)
      .executeTakeFirst()
    if (numDeletedRows > 0n) await removeBranches(tx, repoId, [name])
    return numDeletedRows > 0n
  }
  if (to !== null) {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('tags')
      .values({ repo_id: repoId, tag: name, snapshot_id: to.snapshotId })
      .onConflict((conflict) => conflict.columns(['repo_id', 'tag']).doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  }
  const { numDeletedRows } = await tx
    .deleteFrom('tags')
    .where('repo_id', '=', repoId)
    .where('tag', '=', name)
    .where('snapshot_id', '=', from.snapshotId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
