import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { SnapshotManifests } from '../gaps/snapshot-manifests.ts'
import { manifestAnswerers } from './manifest-answerers.ts'
import type { AnswerersOf, Answers, ManifestKind, Question, SnapshotKind } from './question.ts'
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

/** Whether the answer to a question depends on manifests. */
export function isAboutManifests(question: Question): question is Question<ManifestKind> {
  return question.kind in manifestAnswerers
}

/**
 * Does the same for a question about a snapshot and its manifests. The body counts only if no manifest is missing in
 * the source afterwards.
 */
export function answerFromManifests<Kind extends ManifestKind>(
  source: SnapshotManifests,
  question: Question<Kind>,
  cancellation?: Cancellation,
): Answers[Kind] {
  const answerers: AnswerersOf<ManifestKind, SnapshotManifests> = manifestAnswerers
  return answerers[question.kind](source, question, cancellation)
}
