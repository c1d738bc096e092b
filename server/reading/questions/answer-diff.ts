import type { CommitChanges } from '@floe/contract'
import type { ReaderLimits } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, JsonWriter } from '@floe/storage/json'
import { encodePage } from '../../pages/page.ts'
import { compareSnapshots } from '../compatibility/compare-snapshots.ts'
import { summarizeChanges } from '../compatibility/summarize-changes.ts'
import { writeCompatibility } from '../compatibility/write-compatibility.ts'
import type { Answerers, Answers, DiffKind, Question } from './question.ts'
import { buildDiffPage } from '../diff/build-diff-page.ts'
import type { ComparedSnapshots } from '../diff/changes.ts'
import { compareSources, type DiffSources } from '../diff/compare-sources.ts'
import { findChangedPaths, type PathChanges } from '../diff/find-changed-paths.ts'
import { listCommitChanges } from '../diff/list-commit-changes.ts'
import { writeDiff } from '../diff/write-diff.ts'
import { matchTouched } from '../search/matching/match-touched.ts'

const answerers: Answerers<DiffKind, ComparedSnapshots> = {
  diff: (compared, _, cancellation) => writeDiff(compared, cancellation),
  'changed-paths': (compared, { filters }, cancellation) =>
    new JsonWriter(defaultMaxAnswerBytes, cancellation).write<PathChanges>(
      findChangedPaths(compared, filters, cancellation),
    ),
  'commit-changes': (compared, { path }, cancellation) =>
    new JsonWriter(defaultMaxAnswerBytes, cancellation).write<CommitChanges>(
      listCommitChanges(compared, path, cancellation),
    ),
  'search-matches': (compared, question, cancellation) =>
    new JsonWriter(defaultMaxAnswerBytes, cancellation).write<readonly boolean[]>(
      matchTouched(compared, question, cancellation),
    ),
  compatibility: (compared, { below }, cancellation) =>
    writeCompatibility(compared, compareSnapshots(compared, below, cancellation), cancellation),
  'schema-change': (compared, _, cancellation) =>
    summarizeChanges(compareSnapshots(compared, '', cancellation), cancellation),
  'diff-page': (compared, { page }, cancellation) =>
    encodePage(buildDiffPage(compared, compareSnapshots(compared, '', cancellation), page, cancellation)),
}

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
  return answerers[question.kind](await compareSources(sources, limits, cancellation), question, cancellation)
}
