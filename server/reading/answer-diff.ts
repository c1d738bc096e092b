import { combineLogs, type LogFiles, type ReaderLimits, type Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, JsonWriter } from '@floe/storage/json'
import { encodePage } from '../pages/page.ts'
import { compareSnapshots } from './compatibility/compare-snapshots.ts'
import { writeCompatibility } from './compatibility/write-compatibility.ts'
import type { Answerers, Answers, DiffKind, Question } from './question.ts'
import { buildDiffPage } from './diff/build-diff-page.ts'
import type { ComparedSnapshots } from './diff/changes.ts'
import { compareNodes } from './diff/compare-nodes.ts'
import { findChangedPaths, type PathChanges } from './diff/find-changed-paths.ts'
import { listLoggedChanges } from './diff/list-logged-changes.ts'
import { matchNodes } from './diff/match-nodes.ts'
import { writeDiff } from './diff/write-diff.ts'

/** Two snapshots and the transaction logs between them. */
type DiffSources = { readonly before: Snapshot; readonly after: Snapshot; readonly logs: LogFiles }

const answerers: Answerers<DiffKind, ComparedSnapshots> = {
  diff: (compared, _, cancellation) => writeDiff(compared, cancellation),
  'changed-paths': (compared, { filters }, cancellation) =>
    new JsonWriter(defaultMaxAnswerBytes, cancellation).write<PathChanges>(
      findChangedPaths(compared, filters, cancellation),
    ),
  compatibility: (compared, { below }, cancellation) =>
    writeCompatibility(compared, compareSnapshots(compared, below, cancellation), cancellation),
  'diff-page': (compared, { page }, cancellation) =>
    encodePage(buildDiffPage(compared, compareSnapshots(compared, '', cancellation), page, cancellation)),
}

/**
 * Answers a question about what changed from one snapshot to another. The body shares no memory with other values.
 * Without the logs, compares the snapshots themselves.
 *
 * @throws RangeTooLongError, DamagedObjectError, LimitExceededError
 * @throws DocumentsTooLargeError, AnswerTooLargeError, and what the cancellation throws
 */
export async function answerDiff<Kind extends DiffKind>(
  { before, after, logs }: DiffSources,
  question: Question<Kind>,
  limits: ReaderLimits,
  cancellation?: Cancellation,
): Promise<Answers[Kind]> {
  const combined = logs.kind === 'logs' ? await combineLogs(logs.files, limits, cancellation) : null
  const nodes = matchNodes(before, after, cancellation)
  const changes =
    combined === null ? compareNodes(before, after, nodes) : listLoggedChanges(before, after, nodes, combined)
  const chunksUnavailable = logs.kind === 'logs' ? null : logs.kind
  return answerers[question.kind]({ before, after, nodes, changes, chunksUnavailable }, question, cancellation)
}
