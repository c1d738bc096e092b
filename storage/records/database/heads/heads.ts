// The recorded heads of branches.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { rowsOf } from '../engine/rows-of.ts'
import { lastSequence } from './last-sequence.ts'
import { readSelection, type RefSelection } from './ref-selection.ts'
import { branchRef } from './ref-text.ts'

export type Head = {
  readonly snapshotId: string
  /** Number of the last event of the branch, from 1. */
  readonly sequence: number
  /** Highest version of the Icechunk format seen in the repository; null when none was recorded. */
  readonly formatVersion: number | null
  /** The virtual chunk containers of the repository, as JSON; null while nothing is recorded. */
  readonly containers: string | null
  /** Metadata of the repository itself, as JSON; null if there is none. */
  readonly metadata: string | null
  /** The selection that the recorded branches and tags of the repository follow. */
  readonly recordedSelection: RefSelection
  /** Whether other branches or tags of the repository are recorded. */
  readonly hasOtherRefs: boolean
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

export type ListedHead = Pick<Head, 'snapshotId' | 'formatVersion' | 'metadata'> & { readonly commit: HeadCommit }

export async function readHead(db: Database, repoId: string, branch: string): Promise<Head | null> {
  return (await readHeads(db, [repoId], branch)).get(repoId) ?? null
}

/** Reads the heads of a branch of many repositories, by id; repositories without one are omitted. */
export async function readHeads(
  db: Database,
  repoIds: readonly string[],
  branch: string,
): Promise<ReadonlyMap<string, Head>> {
  const rows = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['repo_id', 'snapshot_id as snapshotId', 'sequence', 'format_version as formatVersion'])
    .select(['containers', 'metadata', 'recorded_selection'])
    .select(
      sql<0 | 1>`case
        when exists (select 1 from heads as others where others.repo_id = heads.repo_id and others.branch <> 'main')
          or exists (select 1 from tags where tags.repo_id = heads.repo_id)
        then 1 else 0 end`.as('has_other_refs'),
    )
    .where(isOneOf(db, 'repo_id', repoIds))
    .where('branch', '=', branch)
    .execute()
  return new Map(
    rows.map(({ repo_id, recorded_selection, has_other_refs, ...head }) => [
      repo_id,
      { ...head, recordedSelection: readSelection(recorded_selection), hasOtherRefs: has_other_refs === 1 },
    ]),
  )
}

/** Reads the heads of `main` of these repositories, by name; repositories without one are omitted. */
export async function listHeads(
  db: Database,
  org: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ListedHead>> {
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('heads', 'repo_id', 'repositories.id')
    .select(['name', 'metadata', 'snapshot_id', 'format_version', 'message', 'author', 'written_at'])
    .where('repositories.org', '=', org)
    .where(isOneOf(db, 'name', names))
    .where('branch', '=', 'main')
    .execute()
  const heads = rows.map(({ name, metadata, snapshot_id, format_version, message, author, written_at }) => {
    const commit = { message, author, writtenAt: new Date(written_at) }
    return [name, { snapshotId: snapshot_id, formatVersion: format_version, metadata, commit }] as const
  })
  return new Map(heads)
}

/** Records the head of a branch that has none. Returns false when another process has recorded one. */
export async function insertHead(tx: Database, head: BranchHead, sequence: number, now: Date): Promise<boolean> {
  return (await insertHeads(tx, [head], { sequence: sql`cast(${sequence} as bigint)` }, now)).length > 0
}

/** Records the heads of branches that have none, each with the number after the last recorded event of its branch. */
export async function insertNewHeads(tx: Database, heads: readonly BranchHead[], now: Date): Promise<void> {
  const sequence = sql<number>`1 + ${lastSequence(sql`rows.repo_id`, branchRef(sql`rows.branch`))}`
  await insertHeads(tx, heads, { sequence }, now)
}

/** The first head of a branch that was seen in a repository. */
export type FirstHead = BranchHead & Pick<Head, 'containers'> & { readonly formatVersion: number }

/**
 * Records first heads without events, in one statement. Skips repositories that have a head or receivers already, and
 * those of organisations with event streams: their heads are moves (`recordHeadMove`).
 *
 * @returns the ids of the repositories whose heads were recorded
 */
export async function recordFirstHeads(
  db: Database,
  heads: readonly FirstHead[],
  now: Date,
): Promise<ReadonlySet<string>> {
  // SQLite finds these receivers in an index, but with one `or` for both it would read all of the organisation.
  const condition = sql<SqlBool>`
    not exists (select 1 from receivers where receivers.org = repositories.org and receivers.repo_id is null)
    and not exists (
      select 1 from receivers where receivers.org = repositories.org and receivers.repo_id = repositories.id
    )
    and not exists (select 1 from event_positions where event_positions.org = repositories.org and has_streams = 1)`
  // In order, so that processes that record the same heads cannot deadlock.
  const sorted = heads.toSorted((left, right) => (left.repoId < right.repoId ? -1 : 1))
  return new Set(await insertHeads(db, sorted, { sequence: sql`1`, condition }, now))
}

/** Expressions for each new head, which is in `rows`, and whose repository is in `repositories`. */
type NewHeadExpressions = {
  readonly sequence: RawBuilder<number>
  /** Whether to record the head. Default: always. */
  readonly condition?: RawBuilder<SqlBool>
}

/** Returns the ids of the repositories whose heads were recorded. */
async function insertHeads(
  db: Database,
  heads: readonly (BranchHead & Partial<FirstHead>)[],
  { sequence, condition = sql`true` }: NewHeadExpressions,
  now: Date,
): Promise<readonly string[]> {
  const records = heads.map(({ repoId, branch, snapshotId, formatVersion, containers, commit }) => ({
    repo_id: repoId,
    branch,
    snapshot_id: snapshotId,
    format_version: formatVersion,
    containers,
    ...commitColumns(commit),
  }))
  const columns = {
    repo_id: 'text',
    branch: 'text',
    snapshot_id: 'text',
    format_version: 'integer',
    containers: 'text',
    message: 'text',
    author: 'text',
    written_at: 'bigint',
  } as const
  const { rows } = await sql<{ repo_id: string }>`
    insert into heads (
      repo_id, org, branch, snapshot_id, sequence, moved_at, format_version, containers, message, author,
      written_at
    )
    select
      rows.repo_id, repositories.org, rows.branch, rows.snapshot_id, ${sequence}, cast(${now.getTime()} as bigint),
      rows.format_version, rows.containers, rows.message, rows.author, rows.written_at
    from ${rowsOf(db, records, columns)}
    join repositories on repositories.id = rows.repo_id
    where ${condition}
    on conflict (repo_id, branch) do nothing
    returning repo_id`.execute(db)
  return rows.map(({ repo_id }) => repo_id)
}

/** The columns of a commit. */
export function commitColumns({ message, author, writtenAt }: HeadCommit) {
  return { message, author, written_at: writtenAt.getTime() }
}

/**
 * Records the version of the Icechunk format of a repository. It never goes down, because Icechunk cannot undo the
 * migration of a repository.
 */
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

/**
 * Lists the names of the repositories of an organisation whose `main` has moved last, the last one first. Some may no
 * longer exist.
 */
export async function listLastMoved(db: Database, org: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select('name')
    .where('repositories.org', '=', org)
    .where('branch', '=', 'main')
    .orderBy('moved_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}
