import type { ReaderLimits } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { changeAnswerers } from './change-answerers.ts'
import type { AnswerersOf, Answers, DiffKind, Question } from './question.ts'
import type { ComparedSnapshots } from '../diff/changes.ts'
import { compareSources, type DiffSources } from '../diff/compare-sources.ts'

/**
 * Answers a question about what changed from one snapshot to another. The body shares no memory with other values.
 *
 * @throws DocumentsTooLargeError, AnswerTooLargeError, and what {@link compareSources} throws
 */
export async function answerDiff<Kind extends DiffKind>(
  sources: DiffSources,
  question: Question<Kind>,
  limits: ReaderLimits,
  cancellation?: Cancellation,
): Promise<Answers[Kind]> {
  const answerers: AnswerersOf<DiffKind, ComparedSnapshots> = changeAnswerers
  return answerers[question.kind](await compareSources(sources, limits, cancellation), question, cancellation)
}
