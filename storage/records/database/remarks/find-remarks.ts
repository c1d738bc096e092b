import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { type Remark, readRemark } from './remark.ts'

/** Lists the remarks of a repository, oldest first. */
export async function listRemarks(db: Database, repoId: string): Promise<readonly Remark[]> {
  const rows = await db
    .selectFrom('remarks')
    .selectAll()
    .where('repo_id', '=', repoId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(readRemark)
}

/** Finds a remark of a repository; undefined if it has none with this id. */
export async function findRemark(db: Database, repoId: string, id: string): Promise<Remark | undefined> {
  const query = db.selectFrom('remarks').selectAll().where('repo_id', '=', repoId).where('id', '=', id)
  const row = await query.executeTakeFirst()
  return row && readRemark(row)
}

/** A remark that may be about one of some snapshots. Its ref, its path and its time are still to be compared. */
export type FoundRemark = Remark & {
  readonly repo: string
  /** Which of the snapshots it names; null if it names none and so is about all of them. */
  readonly snapshotIds: ReadonlySet<string> | null
}

/** Finds the remarks of repositories that may be about some of their snapshots; newest first. */
export async function findRemarks(
  db: Database,
  { org, repos }: { readonly org: string; readonly repos: readonly string[] },
  snapshotIds: readonly string[],
): Promise<readonly FoundRemark[]> {
  const ofRepositories = db
    .selectFrom('repositories')
    .where('org', '=', org)
    .where(isOneOf(db, 'name', repos))
  const named = await ofRepositories
    .innerJoin('remark_snapshots', 'repo_id', 'repositories.id')
    .select(['remark_id', 'snapshot_id'])
    .where(isOneOf(db, 'snapshot_id', snapshotIds))
    .execute()
  const byRemark = Map.groupBy(named, (row) => row.remark_id)
  const rows = await ofRepositories
    .innerJoin('remarks', 'repo_id', 'repositories.id')
    .selectAll('remarks')
    .select('name as repo')
    .where((eb) => eb.or([eb('from_id', 'is', null), isOneOf(db, 'remarks.id', [...byRemark.keys()])]))
    .orderBy('remarks.created_at', 'desc')
    .orderBy('remarks.id')
    .execute()
  return rows.map((row) => {
    const ids = (byRemark.get(row.id) ?? []).map(({ snapshot_id }) => snapshot_id)
    return { ...readRemark(row), repo: row.repo, snapshotIds: row.from_id === null ? null : new Set(ids) }
  })
}

/**
 * Finds which of some snapshots are retracted as a whole: by a retraction without a path that names them, the whole
 * repository, or the branch.
 *
 * @param branch the branch whose heads they are, if they are asked for as such
 */
export async function findRetracted(
  db: Database,
  repoId: string,
  snapshotIds: readonly string[],
  branch: string | null = null,
): Promise<ReadonlySet<string>> {
  const retractions = db
    .selectFrom('remarks')
    .where('remarks.repo_id', '=', repoId)
    .where('kind', '=', 'retraction')
    .where('path', 'is', null)
  const ofAll = await retractions
    .select('id')
    .where('from_id', 'is', null)
    .where((eb) => eb.or([eb('ref', 'is', null), eb('ref', '=', branch)]))
    .limit(1)
    .executeTakeFirst()
  if (ofAll !== undefined) return new Set(snapshotIds)
  const rows = await retractions
    .innerJoin('remark_snapshots', 'remark_id', 'remarks.id')
    .select('snapshot_id')
    .distinct()
    .where(isOneOf(db, 'snapshot_id', snapshotIds))
    .execute()
  return new Set(rows.map(({ snapshot_id }) => snapshot_id))
}
