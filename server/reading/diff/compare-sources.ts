import { combineLogs, type LogFiles, type ReaderLimits, type Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { ComparedSnapshots } from './changes.ts'
import { compareNodes } from './compare-nodes.ts'
import { listLoggedChanges } from './list-logged-changes.ts'
import { matchNodes } from './match-nodes.ts'

/** Two snapshots and the transaction logs between them. */
export type DiffSources = { readonly before: Snapshot; readonly after: Snapshot; readonly logs: LogFiles }

/**
 * Finds what changed from one snapshot to another. Without the logs, compares the snapshots themselves.
 *
 * @throws RangeTooLongError, DamagedObjectError, LimitExceededError, and what the cancellation throws
 */
export async function compareSources(
  { before, after, logs }: DiffSources,
  limits: ReaderLimits,
  cancellation?: Cancellation,
): Promise<ComparedSnapshots> {
  const combined = logs.kind === 'logs' ? await combineLogs(logs.files, limits, cancellation) : null
  const nodes = matchNodes(before, after, cancellation)
  const changes =
    combined === null ? compareNodes(before, after, nodes) : listLoggedChanges(before, after, nodes, combined)
  const chunksUnavailable = logs.kind === 'logs' ? null : logs.kind
  return { before, after, nodes, changes, chunksUnavailable }
}
