import type { Judgement } from '@floe/storage/database'
import { parseSnapshotId } from '@floe/storage/icechunk'
import type { Answers, Question } from '../reading/questions/question.ts'
import type { Reading, BranchToJudge } from './kind.ts'

type AskedBranch = Pick<BranchToJudge<never>, 'expectation' | 'branch' | 'head'>

/**
 * Asks a reader thread to judge the head of a branch, with the question that `prepare` returns. Returns what `read`
 * makes of its answer.
 */
export function askAboutHead<
  Asked extends Question<'contract-judgement' | 'completeness-judgement' | 'gaps-judgement'>,
>(
  toJudge: AskedBranch,
  prepare: (reading: Reading) => Asked | Promise<Asked>,
  read: (answer: Answers[Asked['kind']]) => Judgement,
): Judgement | ((reading: Reading) => Promise<Judgement>) {
  const headId = parseSnapshotId(toJudge.head?.snapshotId ?? '')
  if (headId === undefined) return judgeMissing(toJudge)
  return async (reading) => {
    const { readers, entry, signal } = reading
    const { org, repository } = entry
    return read(await readers.ask({ org, repository }, headId, await prepare(reading), signal))
  }
}

/** What is known of a branch that does not exist: nothing, if a pattern matched it, and why, if it is expected. */
export function judgeMissing({ expectation, branch }: Pick<AskedBranch, 'expectation' | 'branch'>): Judgement {
  if (branch !== expectation.branch) return { verdict: 'gone' }
  return { verdict: 'unknown', reason: `No branch has the name ${branch}`, mayPass: false }
}
