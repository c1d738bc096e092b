// Expectations say how old the last commit of a branch may become, or which share of its chunks must be written. One
// belongs to a repository; one that a file declares, to all repositories of an organisation whose names match a
// pattern.
import type { Nullable, Selectable } from 'kysely'
import { matchesSome } from '../../../globs.ts'
import type { Database } from '../open-database.ts'
import type { ExpectationFindingsTable, ExpectationsTable } from '../tables.ts'
import { toDate } from '../to-date.ts'

/**
 * Maximum number of expectations of a repository, including those that a file declares. If a file declares more, the
 * oldest count.
 */
export const maxExpectations = 50

/** What an expectation demands: one of `maxAge` and `written`. */
export type ExpectationSettings = {
  readonly branch: string
  /** Only commits that changed such a path count, or only arrays with such a path: a pattern; null if all count. */
  readonly path: string | null
  /** As it was written, such as `6h`. */
  readonly maxAge: string | null
  readonly maxAgeMs: number | null
  /** The share of the chunks of each array that must be written, from 0 to 1. */
  readonly written: number | null
}

export type Expectation = ExpectationSettings & {
  readonly id: string
  readonly isDeclared: boolean
  /** From 1. Each change increments it. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What is known about the age of the last commit. */
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

/** An array with fewer chunks written than expected. */
export type IncompleteArray = {
  readonly path: string
  readonly chunks: { readonly written: number; readonly total: number }
}

/** What judgements have found about the written chunks of a branch. */
export type WrittenFindings = {
  /** The head that was judged last; empty if it is judged again. */
  readonly headId: string
  /** When it was found to be incomplete; null while it is not. */
  readonly incompleteSince: Date | null
  /** The first arrays with fewer chunks written than expected. */
  readonly arrays: readonly IncompleteArray[]
  /** Number of all of them. */
  readonly incompleteArrays: number
  /** Why the last head could not be judged: the rest is about an earlier one. Null if it could. */
  readonly unknownReason: string | null
}

/** What was found about an expectation: about one of both. */
export type ExpectationFindings = {
  /** Null before the first check. */
  readonly freshness: Freshness | null
  /** Null before the first judgement. */
  readonly completeness: WrittenFindings | null
}

/** The recorded head of the branch of an expectation. */
type ExpectedHead = {
  readonly snapshotId: string
  /** When its commit was written, or when the head was seen if that was earlier: the clock of a writer can be wrong. */
  readonly committedAt: Date
}

/** An expectation in a repository. */
export type ExpectationState = Expectation &
  ExpectationFindings & {
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
  const row = await selectStates(db, repository).where('expectations.id', '=', id).executeTakeFirst()
  const isFound = row !== undefined && (row.repos === null || matchesSome([row.repos], repository.name))
  return isFound ? toState(row) : undefined
}

export const findingsColumns = [
  'head_id',
  'unmet_since',
  'last_commit_at',
  'counts_from',
  'arrays',
  'incomplete_arrays',
  'unknown_reason',
] as const

function selectStates(db: Database, { id, org }: RepositoryName) {
  return db
    .selectFrom('expectations')
    .leftJoin('expectation_findings', (join) =>
      join.onRef('expectation_id', '=', 'expectations.id').on('expectation_findings.repo_id', '=', id),
    )
    .leftJoin('heads', (join) => join.onRef('heads.branch', '=', 'expectations.branch').on('heads.repo_id', '=', id))
    .selectAll('expectations')
    .select([...findingsColumns, 'snapshot_id', 'written_at', 'moved_at'])
    .where('expectations.org', '=', org)
    .where((eb) => eb.or([eb('expectations.repo_id', '=', id), eb('expectations.repo_id', 'is', null)]))
    .orderBy('expectations.created_at')
    .orderBy('expectations.id')
}

type StateRow = Awaited<ReturnType<ReturnType<typeof selectStates>['executeTakeFirstOrThrow']>>

function toState(row: StateRow): ExpectationState {
  const { snapshot_id: snapshotId, written_at: writtenAt, moved_at: movedAt } = row
  return {
    ...toExpectation(row),
    ...toFindings(row),
    head:
      snapshotId === null || writtenAt === null || movedAt === null
        ? null
        : { snapshotId, committedAt: new Date(Math.min(writtenAt, movedAt)) },
  }
}

export type FindingsRow = Nullable<Pick<Selectable<ExpectationFindingsTable>, (typeof findingsColumns)[number]>>

export function toFindings(row: FindingsRow): ExpectationFindings {
  const { head_id: headId, counts_from: countsFrom, arrays, incomplete_arrays: incompleteArrays } = row
  const [since, lastCommitAt] = [toDate(row.unmet_since), toDate(row.last_commit_at)]
  return {
    freshness:
      headId === null || countsFrom === null
        ? null
        : { headId, lastCommitAt, countsFrom: new Date(countsFrom), staleSince: since },
    completeness:
      headId === null || arrays === null || incompleteArrays === null
        ? null
        : {
            headId,
            incompleteSince: since,
            arrays: JSON.parse(arrays) as IncompleteArray[], // `recordCompleteness` wrote it
            incompleteArrays,
            unknownReason: row.unknown_reason,
          },
  }
}

export function toExpectation(row: Selectable<ExpectationsTable>): Expectation {
  return {
    id: row.id,
    branch: row.branch,
    path: row.path,
    maxAge: row.max_age,
    maxAgeMs: row.max_age_ms,
    written: row.written,
    isDeclared: row.is_declared === 1,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}
