import type { UnknownJudgement } from '@floe/storage/database'
import type { SnapshotId } from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { temporaryProblems, toReadingProblem } from '../../problems/reading-problem.ts'
import type { Answers, Question } from '../../reading/questions/question.ts'
import { TaskTimeoutProblem } from '../../reading/threads/reader.ts'
import type { JudgeParts } from './judge.ts'

type HeadQuestion<Asked> = {
  readonly headId: SnapshotId
  readonly question: Asked
  /** Why the last head could not be judged; null if it could, or there was none. */
  readonly lastReason: string | null
}

/**
 * Asks a reader thread to judge a head. Returns what `read` makes of its answer.
 *
 * @throws the reason of the signal
 */
export async function askAboutHead<Asked extends Question<'contract-judgement' | 'completeness-judgement'>, Judgement>(
  { readers }: Pick<JudgeParts, 'readers'>,
  { org, repository }: CatalogEntry,
  { headId, question, lastReason }: HeadQuestion<Asked>,
  read: (answer: Answers[Asked['kind']]) => Judgement,
  signal: AbortSignal,
): Promise<Judgement | UnknownJudgement> {
  try {
    return read(await readers.ask({ org, repository }, headId, question, signal))
  } catch (error) {
    signal.throwIfAborted()
    const problem = toReadingProblem(error)
    if (problem === undefined) throw error
    const { code, message: reason } = problem
    // A snapshot that takes too long twice would hold a thread at each check.
    const isTooSlow = problem instanceof TaskTimeoutProblem && lastReason === reason
    return { verdict: 'unknown', reason, mayPass: temporaryProblems.has(code) && !isTooSlow }
  }
}
