// Which heads the index of search lacks. A head is indexed when its row names the same snapshot twice, so a move needs
// no entry in a queue.
import { type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely'
import { matchesGlobs } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { Tables } from '../tables.ts'

/** A head that the index lacks. */
export type HeadToIndex = {
  readonly repoId: string
  readonly org: string
  readonly repo: string
  readonly branch: string
  readonly snapshotId: string
  /** The snapshot that the index has completely; `''` when it has none. */
  readonly indexedSnapshotId: string
  /** Metadata of the repository itself, as JSON; null if there is none. */
  readonly metadata: string | null
  /** Number of groups of that snapshot that the index leaves out. */
  readonly omitted: number
  /** Failed attempts so far. */
  readonly failures: number
}

/** A head that one replica indexes. */
export type LeasedHead = HeadToIndex & { readonly leasedBy: string }

/** Another replica indexes a head or has done so, or this one was taken for dead. */
export class IndexLeaseLostError extends Error {
  override name = 'IndexLeaseLostError'

  constructor({ org, repo }: Pick<HeadToIndex, 'org' | 'repo'>) {
    super(`another process indexes ${org}/${repo}`)
  }
}

/**
 * Whether a head's branch is indexed: `main`, or one that matches a pattern. Receivers can select further branches,
 * which are not.
 */
export function isSearched(db: Database, branches: readonly string[]): RawBuilder<SqlBool> {
  if (branches.length === 0) return sql`heads.branch = 'main'`
  return sql`(heads.branch = 'main' or ${matchesGlobs(db, sql`heads.branch`, branches)})`
}

export function isUnindexed(db: Database, branches: readonly string[]): RawBuilder<SqlBool> {
  return sql`(heads.indexed_snapshot_id <> heads.snapshot_id and ${isSearched(db, branches)})`
}

/** Which head is chosen. */
export type HeadChoice = {
  /** Patterns of the branches that are indexed besides `main`, here and below. */
  readonly branches: readonly string[]
  /** The replica that asks. Others leave the heads that it has leased. */
  readonly replica: string
  /** What is due at this time is chosen. */
  readonly dueBy: Date
  /** The organisation that had the last turn; `''` before the first. */
  readonly afterOrg: string
  /** Organisations whose heads are being indexed. */
  readonly busyOrgs: readonly string[]
}

/**
 * Finds the head to index: the one that has waited longest in the organisation whose turn it is. Undefined when none is
 * due. Takes no lock, because usually nothing is due.
 */
export async function findHeadToIndex(db: Database, choice: HeadChoice): Promise<HeadToIndex | undefined> {
  const { afterOrg } = choice
  const next = await selectDue(db, choice).where('heads.org', '>', afterOrg).executeTakeFirst()
  return next ?? (afterOrg === '' ? undefined : selectDue(db, choice).executeTakeFirst())
}

function selectDue(db: Database, { branches, replica, dueBy, busyOrgs }: HeadChoice) {
  return db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'heads.repo_id')
    .select([
      'repo_id as repoId',
      'heads.org',
      'repositories.name as repo',
      'repositories.metadata',
      'branch',
      'snapshot_id as snapshotId',
      'indexed_snapshot_id as indexedSnapshotId',
      'index_omitted as omitted',
      'index_failures as failures',
    ])
    .where(isUnindexed(db, branches))
    .where('index_due_at', '<=', dueBy.getTime())
    .where((eb) => isFreeFor(eb, replica))
    .$if(busyOrgs.length > 0, (query) => query.where('heads.org', 'not in', busyOrgs))
    .orderBy('heads.org')
    .orderBy('index_due_at')
    .limit(1)
}

/** A replica takes up again what it has leased without knowing it. */
function isFreeFor(eb: ExpressionBuilder<Tables, 'heads'>, replica: string) {
  return eb.or([eb('index_leased_by', 'is', null), eb('index_leased_by', '=', replica)])
}

/**
 * Leases a head for a replica.
 *
 * @throws IndexLeaseLostError when another replica has leased or indexed it meanwhile, or when it has moved
 */
export async function leaseHead(db: Database, head: HeadToIndex, replica: string): Promise<LeasedHead> {
  const { numUpdatedRows } = await db
    .updateTable('heads')
    .set({ index_leased_by: replica })
    .where('repo_id', '=', head.repoId)
    .where('branch', '=', head.branch)
    .where('snapshot_id', '=', head.snapshotId)
    .where('indexed_snapshot_id', '=', head.indexedSnapshotId)
    .where((eb) => isFreeFor(eb, replica))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new IndexLeaseLostError(head)
  return { ...head, leasedBy: replica }
}

/**
 * Marks that the index has parts of two snapshots of a head: it may move back to the indexed one, which must then be
 * indexed again. Call it first in the transaction that changes the index.
 *
 * @throws IndexLeaseLostError
 */
export async function beginChange(tx: Database, head: LeasedHead): Promise<void> {
  const { numUpdatedRows } = await updateLeased(tx, head).set({ indexed_snapshot_id: '' }).executeTakeFirst()
  if (numUpdatedRows === 0n) throw new IndexLeaseLostError(head)
}

/** What the index has of a head. */
export type FinishedIndexing = {
  /** Number of groups that the index leaves out. */
  readonly omitted: number
  /** Why there is nothing to index. */
  readonly problem?: string | null
  /** The form of the index. */
  readonly form: number
  readonly isGone?: boolean
  /** When it is due if it has moved meanwhile: now. */
  readonly dueAt: Date
}

/**
 * Records that a head is indexed, or that its repository is gone. If it has moved meanwhile, it is due again, after all
 * heads that have waited longer.
 */
export async function finishIndexing(
  db: Database,
  head: LeasedHead,
  { omitted, problem = null, form, isGone = false, dueAt }: FinishedIndexing,
): Promise<void> {
  await updateLeased(db, head)
    .set({
      indexed_snapshot_id: head.snapshotId,
      index_due_at: dueAt.getTime(),
      index_leased_by: null,
      index_failures: 0,
      index_problem: problem,
      index_omitted: omitted,
      index_is_gone: isGone ? 1 : 0,
      index_form: form,
    })
    .execute()
}

/** Records that a head could not be indexed, and when it is tried again. */
export async function postponeIndexing(
  db: Database,
  head: LeasedHead,
  { problem, until }: { readonly problem: string; readonly until: Date },
): Promise<void> {
  await updateLeased(db, head)
    // One that has moved meanwhile may be sound. It stays leased, and its replica takes it up again.
    .where('snapshot_id', '=', head.snapshotId)
    .set({
      index_due_at: until.getTime(),
      index_leased_by: null,
      index_failures: head.failures + 1,
      index_problem: problem,
    })
    .execute()
}

/** Makes a head due at once if it could not be indexed before it moved. Other heads keep their turn. */
export function dueAfterFailure(now: Date) {
  const dueAt = sql<number>`case when index_failures > 0 then ${now.getTime()} else index_due_at end`
  return { index_due_at: dueAt, index_failures: 0, index_problem: null }
}

function updateLeased(db: Database, { repoId, branch, leasedBy }: LeasedHead) {
  return db
    .updateTable('heads')
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .where('index_leased_by', '=', leasedBy)
}
