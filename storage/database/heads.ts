// Keeps the last seen heads of branches, and records the events that head moves cause.
import { randomUUID } from 'node:crypto'
import { toReceiver } from './receivers/receivers.ts'
import { lockRows } from './engine.ts'
import type { Database } from './open-database.ts'

/** The head of a branch as it was last seen. */
export type Head = {
  readonly snapshotId: string
  /** Number of the head move that brought it here, from 1. */
  readonly sequence: number
  /** The highest version of the Icechunk format that was seen in the repository; null when none was recorded. */
  readonly formatVersion: number | null
}

/** A head move to record. */
export type HeadMove = {
  readonly repoId: string
  readonly branch: string
  /** The result of {@link readHead}. */
  readonly previous: Pick<Head, 'snapshotId' | 'sequence'> | null
  readonly snapshotId: string
  /** The payload for webhooks and the line for chats. Both are sent exactly as given. */
  readonly event: { readonly payload: string; readonly line: string }
}

/** The result of recording a {@link HeadMove}. `outdated`: another process has recorded a move meanwhile, and nothing was changed. */
export type RecordedMove = { readonly kind: 'recorded'; readonly eventId: string } | { readonly kind: 'outdated' }

/** Reads the last seen head of a branch; null when none has been seen yet. */
export async function readHead(db: Database, repoId: string, branch: string): Promise<Head | null> {
  const row = await db
    .selectFrom('heads')
    .select(['snapshot_id as snapshotId', 'sequence', 'format_version as formatVersion'])
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .executeTakeFirst()
  return row ?? null
}

/** Records the version of the Icechunk format of a repository. It never goes down, because a migration cannot be undone. */
export async function noteFormatVersion(db: Database, repoId: string, branch: string, version: number): Promise<void> {
  await db
    .updateTable('heads')
    .set({ format_version: version })
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .where((eb) => eb.or([eb('format_version', 'is', null), eb('format_version', '<', version)]))
    .execute()
}

/**
 * Records a head move once, in one transaction: the head, the event, and a delivery for each receiver that selects it. A delivery for a
 * disabled receiver is held.
 */
export async function recordHeadMove(db: Database, move: HeadMove, now: Date): Promise<RecordedMove> {
  return db.transaction().execute(async (tx) => {
    if (!(await moveHead(tx, move, now))) return { kind: 'outdated' }
    const eventId = randomUUID()
    const { repoId, branch, event } = move
    const sequence = countSequence(move)
    await tx
      .insertInto('events')
      .values({
        id: eventId,
        repo_id: repoId,
        branch,
        sequence,
        name: 'NewCommit',
        ...event,
        created_at: now.getTime(),
      })
      .execute()
    await enqueue(tx, repoId, { id: eventId, sequence }, now)
    return { kind: 'recorded', eventId }
  })
}

async function moveHead(tx: Database, move: HeadMove, now: Date): Promise<boolean> {
  const { repoId, branch, previous, snapshotId } = move
  const head = { snapshot_id: snapshotId, sequence: countSequence(move), moved_at: now.getTime() }
  if (previous === null) {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('heads')
      .values({ ...head, repo_id: repoId, branch })
      .onConflict((conflict) => conflict.columns(['repo_id', 'branch']).doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  }
  const { numUpdatedRows } = await tx
    .updateTable('heads')
    .set(head)
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .where('snapshot_id', '=', previous.snapshotId)
    .where('sequence', '=', previous.sequence)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function countSequence({ previous }: HeadMove): number {
  return (previous?.sequence ?? 0) + 1
}

async function enqueue(
  tx: Database,
  repoId: string,
  event: { readonly id: string; readonly sequence: number },
  now: Date,
): Promise<void> {
  const query = tx.selectFrom('receivers').selectAll().where('repo_id', '=', repoId)
  const rows = await lockRows(tx, query.orderBy('id')).execute()
  const ids = rows.map(toReceiver).flatMap(({ id, events }) => (events.includes('NewCommit') ? [id] : []))
  if (ids.length === 0) return
  const delivery = {
    repo_id: repoId,
    created_at: now.getTime(),
    event_id: event.id,
    state: 'pending',
    turn: event.sequence,
    due_at: null,
    attempts: 0,
  } as const
  await tx
    .insertInto('deliveries')
    .values(ids.map((id) => ({ ...delivery, id: randomUUID(), receiver_id: id })))
    .execute()
  // If other deliveries already wait in the queue, its due time does not change.
  await tx
    .updateTable('receivers')
    .set({ due_at: now.getTime() })
    .where('id', 'in', ids)
    .where('due_at', 'is', null)
    .execute()
}
