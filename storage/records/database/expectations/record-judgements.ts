import type { Database } from '../open-database.ts'
import type { DescribeExpectation, JudgedBranch, RepositoryName } from './expectation.ts'

export type RecordedJudgements = {
  readonly hasEvents: boolean
  /** Whether all that is recorded is about the current heads, and about what is expected now. */
  readonly isCurrent: boolean
  /** When the first of these branches must be judged again although nothing has changed; null if never. */
  readonly nextDueAt: Date | null
}

/**
 * Records in one transaction, which locks the repository, what was found about branches, with an event for each that
 * changes its state. Ignores a judgement if its expectation, the head or the state is no longer that of `from`.
 *
 * @param now the clock of the database when the check began: graces are over at this time
 */
export async function recordJudgements(
  db: Database,
  repository: RepositoryName,
  judged: readonly JudgedBranch[],
  describe: DescribeExpectation,
  now: Date,
): Promise<RecordedJudgements> {
  throw new Error(`to be written ${String(db)} ${repository.id} ${judged.length} ${String(now)} ${String(describe)}`)
}
