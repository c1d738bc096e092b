import { combineLogs, type LogFiles, type ReaderLimits, type Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { buildDiffPage, type DiffPageAddress } from './build-diff-page.ts'
import { compareNodes } from './compare-nodes.ts'
import { listLoggedChanges } from './list-logged-changes.ts'
import { writeDiff } from './write-diff.ts'

/** What is needed to tell what changed. */
export type DiffSources = {
  readonly before: Snapshot
  readonly after: Snapshot
  /** The transaction logs between the snapshots. */
  readonly logs: LogFiles
  /** The address of the page; without it, the answer is JSON. */
  readonly page?: DiffPageAddress | undefined
}

/**
 * Answers what changed from one snapshot to another with the bytes of a body, in memory of their own: JSON, or HTML for a page. Without
 * the logs it compares the snapshots themselves.
 *
 * @throws RangeTooLongError, DamagedObjectError, LimitExceededError
 * @throws DocumentsTooLargeError, AnswerTooLargeError, and what the cancellation throws
 */
export async function answerDiff(
  { before, after, logs, page }: DiffSources,
  limits: ReaderLimits,
  cancellation?: Cancellation,
): Promise<Uint8Array<ArrayBuffer>> {
  const changes =
    logs.kind === 'logs'
      ? listLoggedChanges(before, after, await combineLogs(logs.files, limits, cancellation), cancellation)
      : compareNodes(before, after, cancellation)
  const reason = logs.kind === 'logs' ? null : logs.kind
  if (page !== undefined) {
    const compared = { before, after, changes, chunksUnavailable: reason }
    return new TextEncoder().encode(buildDiffPage(compared, page, cancellation))
  }
  return writeDiff({ before, after, reason }, changes, cancellation)
}
