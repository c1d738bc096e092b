// Stores the last seen heads of branches.
import { sql } from 'kysely'
import { isOneOf, listRecords } from '../engine.ts'
import type { Database } from '../open-database.ts'
import { writeRef } from './ref-text.ts'
import { readSelection, type WatchedSelection } from './selection.ts'

export type Head = {
  readonly snapshotId: string
  /** Number of the last head move, from 1. */
  readonly sequence: number
  /** Highest version of the Icechunk format seen in the repository; null when none was recorded. */
  readonly formatVersion: number | null
  /** Whether its commit is recorded too. Heads of older databases have none until the next check. */
  readonly hasCommit: boolean
  /** What is watched of the repository besides `main`. */
  readonly watched: WatchedSelection
}

export type HeadCommit = {
  readonly message: string
  /** Null when the commit names no author. */
  readonly author: string | null
  readonly writtenAt: Date
}

/** The head of a branch and its commit. */
export type BranchHead = {
  readonly repoId: string
  readonly branch: string
  readonly snapshotId: string
  readonly commit: HeadCommit
}

export type ListedHead = Pick<Head, 'snapshotId' | 'formatVersion'> & { readonly commit: HeadCommit | null }

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
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['repo_id', 'snapshot_id as snapshotId', 'sequence', 'format_version as formatVersion', 'written_at'])
    .select('watched')
    .where(isOneOf(db, 'repo_id', repoIds))
    .where('branch', '=', branch)
    .execute()
  return new Map(
    rows.map(({ repo_id, written_at, watched, ...head }) => [
      repo_id,
      { ...head, hasCommit: written_at !== null, watched: readSelection(watched) },
    ]),
  )
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
  { repoId, branch, snapshotId }: Omit<BranchHead, 'commit'>,
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

/** Records the head of a branch that has none. Returns false when another process has recorded one. */
export async function insertHead(tx: Database, head: BranchHead, sequence: number, now: Date): Promise<boolean> {
  return (await insertHeads(tx, [{ ...head, sequence }], now)) > 0n
}

/**
 * Records the heads of branches that have none, and returns how many. Without a number of their own, they have the next one after the events
 * of their branches.
 */
export async function insertHeads(
  tx: Database,
  heads: readonly (BranchHead & { readonly sequence?: number })[],
  now: Date,
): Promise<bigint> {
  const records = heads.map(({ repoId, branch, snapshotId, sequence, commit }) => {
    const ref = writeRef({ kind: 'branch', name: branch })
    return { repoId, branch, ref, snapshotId, sequence, ...toColumns(commit) }
  })
  const { numAffectedRows = 0n } = await sql`
    insert into heads (repo_id, branch, snapshot_id, sequence, moved_at, message, author, written_at)
    select
      item.value ->> 'repoId', item.value ->> 'branch', item.value ->> 'snapshotId',
      coalesce(cast(item.value ->> 'sequence' as integer), 1 + coalesce((
        select max(sequence) from events
        where events.repo_id = item.value ->> 'repoId' and events.ref = item.value ->> 'ref'
      ), 0)),
      cast(${now.getTime()} as bigint), item.value ->> 'message', item.value ->> 'author',
      cast(item.value ->> 'written_at' as bigint)
    from ${listRecords(tx, records)}
    where true
    on conflict (repo_id, branch) do nothing`.execute(tx)
  return numAffectedRows
}

/** The columns of a commit. */
export function toColumns({ message, author, writtenAt }: HeadCommit) {
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
export type FirstHead = BranchHead & { readonly formatVersion: number }

/**
 * Records first heads without events, in one statement. Passes over repositories that have a head or receivers already, and over those of
 * organisations with streams of events: their heads are moves (`recordHeadMove`).
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
    where not exists (
        select 1 from receivers
        where receivers.org = repositories.org and (receivers.repo_id is null or receivers.repo_id = repositories.id)
      )
      and not exists (select 1 from event_positions where event_positions.org = repositories.org and has_streams = 1)
    on conflict (repo_id, branch) do nothing
    returning repo_id`.execute(db)
  return new Set(rows.map(({ repo_id }) => repo_id))
}

/** Returns the name of the repository of an organisation whose `main` has moved last; undefined when none is recorded. */
export async function findLastMoved(db: Database, org: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select('name')
    .where('org', '=', org)
    .where('branch', '=', 'main')
    .orderBy('moved_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.name
}
