// Expectations say how old the last commit of a branch may become. One belongs to a repository; one that a file
// declares, to all repositories of an organisation whose names match a pattern.
import { type Selectable, sql } from 'kysely'
import { matchesSome } from '../../../globs.ts'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { ExpectationsTable } from '../tables.ts'
import { toDate } from '../to-date.ts'

/**
 * Maximum number of expectations of a repository, including those that a file declares. If a file declares more, the
 * oldest count.
 */
export const maxExpectations = 50

/** What an expectation demands. */
export type ExpectationSettings = {
  readonly branch: string
  /** Only commits that changed a path that matches this pattern count; null if every commit counts. */
  readonly path: string | null
  /** As it was written, such as `6h`. */
  readonly maxAge: string
  readonly maxAgeMs: number
}

export type Expectation = ExpectationSettings & {
  readonly id: string
  readonly isDeclared: boolean
  /** From 1. Each change increments it. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What is known about an expectation in a repository. */
export type Freshness = {
  /** The head of the branch that this follows from; empty before the branch was seen. */
  readonly headId: string
  /** Time of the last commit that counts; null when none is known. */
  readonly lastCommitAt: Date | null
  /** The time from which the age counts. */
  readonly countsFrom: Date
  /** Since when it is stale, if that was told; null while it is fresh. */
  readonly staleSince: Date | null
}

/** The recorded head of the branch of an expectation. */
type ExpectedHead = {
  readonly snapshotId: string
  /** When its commit was written, or when the head was seen if that was earlier: the clock of a writer can be wrong. */
  readonly committedAt: Date
}

/** An expectation in a repository. */
export type ExpectationState = Expectation & {
  /** Null before the first check. */
  readonly freshness: Freshness | null
  /** Null while no head of the branch is recorded. */
  readonly head: ExpectedHead | null
}

/** A repository with the names by which expectations find it. */
export type RepositoryName = { readonly id: string; readonly org: string; readonly name: string }

/** Lists the expectations of a repository with their state, oldest first. */
export async function listExpectations(
  db: Database,
  repository: RepositoryName,
  limit = maxExpectations,
): Promise<readonly ExpectationState[]> {
  const rows = await selectStates(db, repository).execute()
  return rows
    .filter(({ repos }) => repos === null || matchesSome([repos], repository.name))
    .slice(0, limit)
    .map(toState)
}

/** Finds an expectation of a repository; undefined if it has none with this id. */
export async function findExpectation(
  db: Database,
  repository: RepositoryName,
  id: string,
): Promise<ExpectationState | undefined> {
  return (await listExpectations(db, repository)).find((expectation) => expectation.id === id)
}

function selectStates(db: Database, { id, org }: RepositoryName) {
  return db
    .selectFrom('expectations')
    .leftJoin('freshness', (join) =>
      join.onRef('expectation_id', '=', 'expectations.id').on('freshness.repo_id', '=', id),
    )
    .leftJoin('heads', (join) => join.onRef('heads.branch', '=', 'expectations.branch').on('heads.repo_id', '=', id))
    .selectAll('expectations')
    .select(['head_id', 'last_commit_at', 'counts_from', 'stale_since', 'snapshot_id', 'written_at', 'moved_at'])
    .where('expectations.org', '=', org)
    .where((eb) => eb.or([eb('expectations.repo_id', '=', id), eb('expectations.repo_id', 'is', null)]))
    .orderBy('expectations.created_at')
    .orderBy('expectations.id')
}

type StateRow = Awaited<ReturnType<ReturnType<typeof selectStates>['executeTakeFirstOrThrow']>>

function toState(row: StateRow): ExpectationState {
  const { head_id: headId, counts_from: countsFrom, last_commit_at, stale_since } = row
  const { snapshot_id: snapshotId, written_at: writtenAt, moved_at: movedAt } = row
  const times = { lastCommitAt: toDate(last_commit_at), staleSince: toDate(stale_since) }
  return {
    ...toExpectation(row),
    freshness: headId === null || countsFrom === null ? null : { headId, countsFrom: new Date(countsFrom), ...times },
    head:
      snapshotId === null || writtenAt === null || movedAt === null
        ? null
        : { snapshotId, committedAt: new Date(Math.min(writtenAt, movedAt)) },
  }
}

export function toExpectation(row: Selectable<ExpectationsTable>): Expectation {
  return {
    id: row.id,
    branch: row.branch,
    path: row.path,
    maxAge: row.max_age,
    maxAgeMs: row.max_age_ms,
    isDeclared: row.is_declared === 1,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}

/** What an expectation demands of a repository, and what was found. */
export type ListedFreshness = Pick<Expectation, 'branch' | 'path' | 'maxAge' | 'maxAgeMs'> &
  Pick<Freshness, 'lastCommitAt' | 'countsFrom' | 'staleSince'> & {
    readonly org: string
    readonly repo: string
    readonly repoId: string
  }

/**
 * Lists what checks have found about expectations, by repository, oldest first.
 *
 * @param of the repositories with these names, or all of all organisations
 */
export async function listFreshness(
  db: Database,
  of: { readonly org: string; readonly names: readonly string[] } | 'all',
  limit: number,
): Promise<readonly ListedFreshness[]> {
  const rows = await db
    .selectFrom('freshness')
    .innerJoin('expectations', 'expectations.id', 'expectation_id')
    .innerJoin('repositories', 'repositories.id', 'freshness.repo_id')
    .select(['repositories.org', 'name', 'freshness.repo_id', 'branch', 'path', 'max_age', 'max_age_ms'])
    .select(['last_commit_at', 'counts_from', 'stale_since'])
    .$if(of !== 'all', (query) =>
      query
        .where('repositories.org', '=', of === 'all' ? '' : of.org)
        .where(isOneOf(db, 'name', of === 'all' ? [] : of.names)),
    )
    .orderBy(sql`case when stale_since is null then 1 else 0 end`)
    .orderBy('expectations.created_at')
    .orderBy('expectations.id')
    .orderBy('repositories.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    org: row.org,
    repo: row.name,
    repoId: row.repo_id,
    branch: row.branch,
    path: row.path,
    maxAge: row.max_age,
    maxAgeMs: row.max_age_ms,
    lastCommitAt: toDate(row.last_commit_at),
    countsFrom: new Date(row.counts_from),
    staleSince: toDate(row.stale_since),
  }))
}
