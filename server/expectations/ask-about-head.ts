import type { Judgement } from '@floe/storage/database'
import { parseSnapshotId, type SnapshotId } from '@floe/storage/icechunk'
import type { Answers, Question } from '../reading/questions/question.ts'
import type { Reading, BranchToJudge } from './kind.ts'

type AskedBranch = Pick<BranchToJudge<never>, 'expectation' | 'branch' | 'head'>

type Asked = Question<'contract-judgement' | 'renames-judgement' | 'completeness-judgement' | 'gaps-judgement'>

/** Asks more about the same head. */
type AskMore = <More extends Asked>(question: More) => Promise<Answers[More['kind']]>

/**
 * Asks a reader thread to judge the head of a branch, with the question that `prepare` returns. Returns what `read`
 * makes of its answer.
 */
export function askAboutHead<First extends Asked>(
  toJudge: AskedBranch,
  prepare: (reading: Reading) => First | Promise<First>,
  read: (
    answer: Answers[First['kind']],
    asked: { readonly question: First; readonly headId: SnapshotId; readonly ask: AskMore },
  ) => Judgement | Promise<Judgement>,
): Judgement | ((reading: Reading) => Promise<Judgement>) {
  const headId = parseSnapshotId(toJudge.head?.snapshotId ?? '')
  if (headId === undefined) return judgeMissing(toJudge)
  return async (reading) => {
    const { readers, entry, signal } = reading
    const { org, repository } = entry
    const ask: AskMore = (question) => readers.ask({ org, repository }, headId, question, signal)
    const question = await prepare(reading)
    return read(await ask(question), { question, headId, ask })
  }
}

/** What is known of a branch that does not exist: nothing, if a pattern matched it, and why, if it is expected. */
export function judgeMissing({ expectation, branch }: Pick<AskedBranch, 'expectation' | 'branch'>): Judgement {
  if (branch !== expectation.branch) return { verdict: 'gone' }
  return { verdict: 'unknown', reason: `No branch has the name ${branch}`, mayPass: false }
}
