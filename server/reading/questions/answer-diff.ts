import type { ReaderLimits } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { changeAnswerers } from './change-answerers.ts'
import type { AnswerersOf, Answers, DiffKind, Question } from './question.ts'
import type { ComparedSnapshots } from '../diff/changes.ts'
import { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { compareSources, type DiffSources } from '../diff/compare-sources.ts'

/**
 * Answers a question about what changed from one snapshot to another. The body shares no memory with other values.
 *
 * @param manifests those that have been read, with the later snapshot. The body counts only if none is missing
 * afterwards
 * @throws DocumentsTooLargeError, AnswerTooLargeError, and what {@link compareSources} throws
 */
export async function answerDiff<Kind extends DiffKind>(
  sources: DiffSources,
  question: Question<Kind>,
  limits: ReaderLimits,
  cancellation?: Cancellation,
  manifests: SnapshotManifests = new SnapshotManifests(sources.after),
): Promise<Answers[Kind]> {
  const answerers: AnswerersOf<DiffKind, ComparedSnapshots> = changeAnswerers
  return answerers[question.kind](
    await compareSources(sources, limits, cancellation),
    question,
    cancellation,
    manifests,
  )
}
