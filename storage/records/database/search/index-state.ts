// How current the index of search is.
import { sql } from 'kysely'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { toDate } from '../to-date.ts'
import { isSearched, isUnindexed } from './index-heads.ts'

/** How current the index of an organisation is. */
export type IndexState = {
  readonly repositories: number
  readonly pending: number
  /** How many of these could not be indexed. */
  readonly failed: number
  /** When the oldest head that is not indexed was recorded; null when all are. */
  readonly oldest: Date | null
  readonly omitted: number
}

/** What a caller searches. */
export type IndexScope = {
  readonly org: string
  /** Null for all of the organisation. */
  readonly repos: readonly string[] | null
  readonly branches: readonly string[]
}

/** Reads how current the index of these repositories is, or of all of the organisation. */
export async function readIndexState(db: Database, { org, repos, branches }: IndexScope): Promise<IndexState> {
  const isPending = isUnindexed(db, branches)
  const row = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'heads.repo_id')
    .select(({ fn }) => [
      sql<number | null>`sum(case when branch = 'main' then 1 else 0 end)`.as('repositories'),
      sql<number | null>`sum(case when ${isPending} then 1 else 0 end)`.as('pending'),
      sql<number | null>`sum(case when ${isPending} and index_failures > 0 then 1 else 0 end)`.as('failed'),
      sql<number | null>`min(case when ${isPending} then heads.moved_at end)`.as('oldest'),
      fn.sum<number | null>('index_omitted').as('omitted'),
    ])
    .where('heads.org', '=', org)
    .where(isSearched(db, branches))
    .where('index_is_gone', '=', 0)
    .$if(repos !== null, (query) => query.where(isOneOf(db, 'repositories.name', repos ?? [])))
    .executeTakeFirstOrThrow()
  const { repositories, pending, failed, oldest, omitted } = row
  return {
    repositories: repositories ?? 0,
    pending: pending ?? 0,
    failed: failed ?? 0,
    oldest: toDate(oldest),
    omitted: omitted ?? 0,
  }
}

/**
 * Whether `main` of a repository waits to be indexed, and why the last attempt failed, or found nothing to index;
 * undefined before the first head.
 */
export async function readIndexProblem(
  db: Database,
  repoId: string,
): Promise<{ readonly isPending: boolean; readonly problem: string | null } | undefined> {
  const row = await db
    .selectFrom('heads')
    .select(['index_problem as problem', sql<number>`case when ${isUnindexed(db, [])} then 1 else 0 end`.as('pending')])
    .where('repo_id', '=', repoId)
    .where('branch', '=', 'main')
    .executeTakeFirst()
  return row && { isPending: row.pending === 1, problem: row.problem }
}

/** Number of heads of the service that wait to be indexed, and since when the oldest of them waits. */
export async function readIndexLag(
  db: Database,
  branches: readonly string[],
): Promise<{ readonly pending: number; readonly oldest: Date | null }> {
  const row = await db
    .selectFrom('heads')
    .select(({ fn }) => [fn.countAll<number>().as('pending'), fn.min('moved_at').as('oldest')])
    .where(isUnindexed(db, branches))
    .executeTakeFirstOrThrow()
  return { pending: row.pending, oldest: toDate(row.oldest) }
}
