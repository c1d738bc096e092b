import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import type { AnswerersOf, Answers, Question, SnapshotKind } from './question.ts'
import { snapshotAnswerers } from './snapshot-answerers.ts'

/**
 * Answers a question with a body, which shares no memory with other values.
 *
 * @param manifests those that have been read. The body counts only if none is missing afterwards
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
  manifests: SnapshotManifests = new SnapshotManifests(snapshot),
): Answers[Kind] {
  const answerers: AnswerersOf<SnapshotKind, Snapshot> = snapshotAnswerers
  return answerers[question.kind](snapshot, question, cancellation, manifests)
}
