import { combineLogs, type LogFiles, type ReaderLimits, type Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { encodePage } from '../../pages/page.ts'
import type { Answers, DiffKind, Question } from '../question.ts'
import { buildDiffPage } from './build-diff-page.ts'
import type { ComparedSnapshots } from './changes.ts'
import { compareNodes } from './compare-nodes.ts'
import { listLoggedChanges } from './list-logged-changes.ts'
import { writeDiff } from './write-diff.ts'

/** Two snapshots and the logs between them. */
export type DiffSources = {
  readonly before: Snapshot
  readonly after: Snapshot
  /** The transaction logs between the snapshots. */
  readonly logs: LogFiles
}

type Answerers = {
  readonly [Kind in DiffKind]: (
    compared: ComparedSnapshots,
    question: Question<Kind>,
    cancellation: Cancellation | undefined,
  ) => Answers[Kind]
}

const answerers: Answerers = {
  diff: (compared, _, cancellation) => writeDiff(compared, cancellation),
  'diff-page': (compared, { page }, cancellation) => encodePage(buildDiffPage(compared, page, cancellation)),
}

/**
 * Answers what changed from one snapshot to another with a body, which shares no memory with other values. Without the logs, compares the
 * snapshots themselves.
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
  const changes =
    logs.kind === 'logs'
      ? listLoggedChanges(before, after, await combineLogs(logs.files, limits, cancellation), cancellation)
      : compareNodes(before, after, cancellation)
  const chunksUnavailable = logs.kind === 'logs' ? null : logs.kind
  return answerers[question.kind]({ before, after, changes, chunksUnavailable }, question, cancellation)
}
