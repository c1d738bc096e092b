import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { AnswerersOf, Answers, Question, SnapshotKind } from './question.ts'
import { snapshotAnswerers } from './snapshot-answerers.ts'

/**
 * Answers a question with a body, which shares no memory with other values.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError for a view of a group that xarray cannot open
 * @throws DocumentsTooLargeError when the documents of the group are larger than a limit
 * @throws AnswerTooLargeError
 * @throws what the cancellation throws
 */
export function answerQuestion<Kind extends SnapshotKind>(
  snapshot: Snapshot,
  question: Question<Kind>,
  cancellation?: Cancellation,
): Answers[Kind] {
  const answerers: AnswerersOf<SnapshotKind, Snapshot> = snapshotAnswerers
  return answerers[question.kind](snapshot, question, cancellation)
}
