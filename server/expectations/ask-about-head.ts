import type { Judgement } from '@floe/storage/database'
import { parseSnapshotId } from '@floe/storage/icechunk'
import { temporaryProblems, toReadingProblem } from '../problems/reading-problem.ts'
import type { Answers, Question } from '../reading/questions/question.ts'
import { TaskTimeoutProblem } from '../reading/threads/reader.ts'
import type { Reading, Subject } from './kind.ts'

type AskedSubject = Pick<Subject<never>, 'expectation' | 'branch' | 'head'> & {
  readonly state: { readonly reason: string | null } | null
}

/**
 * Asks a reader thread to judge the head of a branch, with the question that `prepare` returns. Returns what `read`
 * makes of its answer.
 *
 * @throws the reason of the signal
 */
export function askAboutHead<Asked extends Question<'contract-judgement' | 'completeness-judgement'>>(
  subject: AskedSubject,
  prepare: (reading: Reading) => Asked | Promise<Asked>,
  read: (answer: Answers[Asked['kind']]) => Judgement,
): Judgement | ((reading: Reading) => Promise<Judgement>) {
  const { expectation, branch, head, state } = subject
  const headId = parseSnapshotId(head?.snapshotId ?? '')
  if (headId === undefined) return judgeMissing({ expectation, branch })
  return async (reading) => {
    const { readers, entry, signal } = reading
    const { org, repository } = entry
    try {
      return read(await readers.ask({ org, repository }, headId, await prepare(reading), signal))
    } catch (error) {
      signal.throwIfAborted()
      const problem = toReadingProblem(error)
      if (problem === undefined) throw error
      const { code, message: reason } = problem
      // A snapshot that takes too long twice would hold a thread at each check.
      const isTooSlow = problem instanceof TaskTimeoutProblem && state?.reason === reason
      return { verdict: 'unknown', reason, mayPass: temporaryProblems.has(code) && !isTooSlow }
    }
  }
}

/** What is known of a branch that does not exist: nothing, if a pattern matched it, and why, if it is expected. */
function judgeMissing({ expectation, branch }: Pick<AskedSubject, 'expectation' | 'branch'>): Judgement {
  if (branch !== expectation.branch) return { verdict: 'gone' }
  return { verdict: 'unknown', reason: `No branch has the name ${branch}`, mayPass: false }
}
