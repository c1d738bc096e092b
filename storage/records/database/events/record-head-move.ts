import type { ChangeVerdict } from '@floe/contract/lists'
import { dueAfterFailure } from '../search/index-heads.ts'
import { type BranchHead, type Head, insertHead, commitColumns } from '../heads/heads.ts'
import type { Database } from '../open-database.ts'
import { rememberHead } from '../heads/seen-heads.ts'
import { countMove } from '../repository-list/count-moves.ts'
import { newOrderedId } from './ordered-id.ts'
import type { EventTexts, MoveChanges, NewEvent } from './new-event.ts'
import { recordEvents } from './record-events.ts'
import { transact } from '../transact.ts'

export type HeadMove = BranchHead & {
  /** The result of `readHead`. */
  readonly previous: Pick<Head, 'snapshotId' | 'sequence'> | null
  readonly event: EventTexts & Pick<NewEvent, 'commitCount'>
  /** Undefined when no receiver asked what it changed. */
  readonly changes?: MoveChanges | undefined
  /** What the move means for readers. Undefined when nobody asked, or it means nothing. */
  readonly schemaChange?: SchemaChange | undefined
}

/** The event `SchemaChanged`. */
export type SchemaChange = EventTexts & { readonly verdict: ChangeVerdict }

/** The result of recording a change. `outdated`: another process recorded one meanwhile, so nothing was changed. */
export type RecordedChange = { readonly kind: 'recorded'; readonly eventId: string } | { readonly kind: 'outdated' }

/** Records a head move once, in one transaction: the head, and the events with their deliveries. */
export async function recordHeadMove(db: Database, move: HeadMove, now: Date): Promise<RecordedChange> {
  const { repoId, branch, previous, commit, event, changes, schemaChange } = move
  const sequence = (previous?.sequence ?? 0) + 1
  return transact(db, async (tx) => {
    if (!(await moveHead(tx, move, sequence, now))) return { kind: 'outdated' }
    await rememberHead(tx, repoId, branch, now)
    if (branch === 'main' && previous !== null) await countMove(tx, repoId, now)
    const eventId = newOrderedId(now)
    const both = { repoId, sequence, changes, firstWrittenAt: previous === null ? commit.writtenAt : undefined }
    const events: NewEvent[] = [
      { ...both, id: eventId, name: 'NewCommit', ref: { kind: 'branch', name: branch }, ...event },
    ]
    if (schemaChange !== undefined)
      events.push({ ...both, name: 'SchemaChanged', ref: { kind: 'verdict', name: branch }, ...schemaChange })
    await recordEvents(tx, events, now)
    return { kind: 'recorded', eventId }
  })
}

async function moveHead(tx: Database, move: HeadMove, sequence: number, now: Date): Promise<boolean> {
  const { repoId, branch, previous, snapshotId, commit } = move
  if (previous === null) return insertHead(tx, move, sequence, now)
  const { numUpdatedRows } = await tx
    .updateTable('heads')
    .set({ snapshot_id: snapshotId, sequence, moved_at: now.getTime(), ...commitColumns(commit) })
    .set(dueAfterFailure(now))
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .where('snapshot_id', '=', previous.snapshotId)
    .where('sequence', '=', previous.sequence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
