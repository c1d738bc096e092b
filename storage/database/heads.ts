// Stores the last seen heads of branches, and the events of head moves.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isOneOf, listRecords, lockRows } from './engine.ts'
import { assignPosition } from './events.ts'
import type { Database } from './open-database.ts'
import { parseEvents } from './receivers/receivers.ts'

export type Head = {
  readonly snapshotId: string
  /** Number of the last head move, from 1. */
  readonly sequence: number
  /** Highest version of the Icechunk format seen in the repository; null when none was recorded. */
  readonly formatVersion: number | null
  /** Whether its commit is recorded too. Heads of older databases have none until the next check. */
  readonly hasCommit: boolean
}

export type HeadCommit = {
  readonly message: string
  /** Null when the commit names no author. */
  readonly author: string | null
  readonly writtenAt: Date
}

export type ListedHead = Pick<Head, 'snapshotId' | 'formatVersion'> & { readonly commit: HeadCommit | null }

export type HeadMove = {
  readonly repoId: string
  readonly branch: string
  /** The result of {@link readHead}. */
  readonly previous: Pick<Head, 'snapshotId' | 'sequence'> | null
  readonly snapshotId: string
  readonly commit: HeadCommit
  /** The payload for webhooks and the line for chats. Both are sent exactly as given. */
  readonly event: { readonly payload: string; readonly line: string }
}

/** The result of recording a {@link HeadMove}. `outdated`: another process recorded a move meanwhile, so nothing was changed. */
export type RecordedMove = { readonly kind: 'recorded'; readonly eventId: string } | { readonly kind: 'outdated' }

export async function readHead(db: Database, repoId: string, branch: string): Promise<Head | null> {
  return (await readHeads(db, [repoId], branch)).get(repoId) ?? null
}

/** Reads the last seen heads of a branch of many repositories, by id; repositories without one are omitted. */
export async function readHeads(
  db: Database,
  repoIds: readonly string[],
  branch: string,
): Promise<ReadonlyMap<string, Head>> {
  const rows = await db
    .selectFrom('heads')
    .select(['repo_id', 'snapshot_id as snapshotId', 'sequence', 'format_version as formatVersion', 'written_at'])
    .where(isOneOf(db, 'repo_id', repoIds))
    .where('branch', '=', branch)
    .execute()
  return new Map(rows.map(({ repo_id, written_at, ...head }) => [repo_id, { ...head, hasCommit: written_at !== null }]))
}

/** Reads the last seen heads of `main` of these repositories, by name; repositories without one are omitted. */
export async function listHeads(
  db: Database,
  org: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ListedHead>> {
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('heads', 'repo_id', 'repositories.id')
    .select(['name', 'snapshot_id', 'format_version', 'message', 'author', 'written_at'])
    .where('org', '=', org)
    .where(isOneOf(db, 'name', names))
    .where('branch', '=', 'main')
    .execute()
  const heads = rows.map(({ name, snapshot_id, format_version, message, author, written_at }) => {
    const commit = written_at === null ? null : { message: message ?? '', author, writtenAt: new Date(written_at) }
    return [name, { snapshotId: snapshot_id, formatVersion: format_version, commit }] as const
  })
  return new Map(heads)
}

/** Records the commit of a head that was recorded without it, unless the head has moved since. */
export async function recordHeadCommit(
  db: Database,
  { repoId, branch, snapshotId }: Pick<HeadMove, 'repoId' | 'branch' | 'snapshotId'>,
  commit: HeadCommit,
): Promise<void> {
  await db
    .updateTable('heads')
    .set(toColumns(commit))
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .where('snapshot_id', '=', snapshotId)
    .execute()
}

function toColumns({ message, author, writtenAt }: HeadCommit) {
  return { message, author, written_at: writtenAt.getTime() }
}

/** Records the version of the Icechunk format of a repository. It never goes down, because a migration cannot be undone. */
export async function recordFormatVersion(
  db: Database,
  repoId: string,
  branch: string,
  version: number,
): Promise<void> {
  await db
    .updateTable('heads')
    .set({ format_version: version })
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .where((eb) => eb.or([eb('format_version', 'is', null), eb('format_version', '<', version)]))
    .execute()
}

/** The first head of a branch that was seen in a repository. */
export type FirstHead = Pick<HeadMove, 'repoId' | 'branch' | 'snapshotId' | 'commit'> & {
  readonly formatVersion: number
}

/**
 * Records first heads without events, in one statement. Passes over repositories that have a head or receivers already, and over those of
 * organisations with streams of events: their heads are moves ({@link recordHeadMove}).
 *
 * @returns the ids of the repositories whose heads were recorded
 */
export async function recordFirstHeads(
  db: Database,
  heads: readonly FirstHead[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const records = heads
    .map(({ commit: { message, author, writtenAt }, ...head }) => ({
      ...head,
      message,
      author,
      writtenAt: writtenAt.getTime(),
    }))
    // In order, so that processes that record the same heads cannot deadlock.
    .sort((left, right) => (left.repoId < right.repoId ? -1 : 1))
  const { rows } = await sql<{ repo_id: string }>`
    insert into heads (repo_id, branch, snapshot_id, sequence, moved_at, format_version, message, author, written_at)
    select
      item.value ->> 'repoId', item.value ->> 'branch', item.value ->> 'snapshotId', 1, cast(${now.getTime()} as bigint),
      cast(item.value ->> 'formatVersion' as integer), item.value ->> 'message', item.value ->> 'author',
      cast(item.value ->> 'writtenAt' as bigint)
    from ${listRecords(db, records)}
    join repositories on repositories.id = item.value ->> 'repoId'
    where not exists (select 1 from receivers where receivers.repo_id = repositories.id)
      and not exists (select 1 from event_positions where event_positions.org = repositories.org and has_streams = 1)
    on conflict (repo_id, branch) do nothing
    returning repo_id`.execute(db)
  return new Set(rows.map(({ repo_id }) => repo_id))
}

/**
 * Records a head move once, in one transaction: the head, the event with its position, and a delivery for each receiver that selects the
 * event. Deliveries for disabled receivers are held.
 */
export async function recordHeadMove(db: Database, move: HeadMove, now: Date): Promise<RecordedMove> {
  return db.transaction().execute(async (tx) => {
    if (!(await moveHead(tx, move, now))) return { kind: 'outdated' }
    const eventId = newOrderedId(now)
    const { repoId, branch, event } = move
    const sequence = countSequence(move)
    const { number } = await tx
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
      .returning('number')
      .executeTakeFirstOrThrow()
    await enqueue(tx, repoId, { number, sequence }, now)
    // Last, because from here to the end of the transaction, all other moves of the organisation wait.
    await assignPosition(tx, repoId, number)
    return { kind: 'recorded', eventId }
  })
}

async function moveHead(tx: Database, move: HeadMove, now: Date): Promise<boolean> {
  const { repoId, branch, previous, snapshotId, commit } = move
  const sequence = countSequence(move)
  const head = { snapshot_id: snapshotId, sequence, moved_at: now.getTime(), ...toColumns(commit) }
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
  event: { readonly number: number; readonly sequence: number },
  now: Date,
): Promise<void> {
  const query = tx.selectFrom('receivers').select(['id', 'events']).where('repo_id', '=', repoId)
  const rows = await lockRows(tx, query.orderBy('id')).execute()
  const ids = rows.flatMap(({ id, events }) => (parseEvents(events).includes('NewCommit') ? [id] : []))
  if (ids.length === 0) return
  const deliveries = ids.map((id) => ({ id: newOrderedId(now), receiver: id }))
  await sql`
    insert into deliveries (id, repo_id, event_number, receiver_id)
    select item.value ->> 'id', ${repoId}, cast(${event.number} as bigint), item.value ->> 'receiver'
    from ${listRecords(tx, deliveries)}`.execute(tx)
  await sql`
    insert into undelivered (delivery_number, repo_id, receiver_id, state, turn)
    select number, repo_id, receiver_id, 'pending', cast(${event.sequence} as bigint)
    from deliveries where event_number = ${event.number}`.execute(tx)
  // If other deliveries wait in the queue, its due time stays the same.
  await tx
    .updateTable('receivers')
    .set({ due_at: now.getTime() })
    .where(isOneOf(tx, 'id', ids))
    .where('due_at', 'is', null)
    .execute()
}

/**
 * Makes a UUID of version 7, which begins with the time. New records then lie together in the indexes of their ids, and touch few pages even
 * among millions of records.
 */
function newOrderedId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  // Versions 4 and 7 have the same form after the version digit.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
