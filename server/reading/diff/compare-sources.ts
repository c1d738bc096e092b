import { combineLogs, type LogFiles, type Move, type ReaderLimits, type Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { ChangedNode, Changes, ComparedSnapshots } from './changes.ts'
import { listLoggedChanges } from './list-logged-changes.ts'
import { findMove, type MatchedNode, matchNodes } from './match-nodes.ts'

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

/** Lists the differences of two snapshots that no transaction logs connect. */
function compareNodes(earlier: Snapshot, later: Snapshot, nodes: readonly MatchedNode[]): Changes {
  const groups = { created: new Array<string>(), deleted: new Array<string>(), updated: new Array<ChangedNode>() }
  const arrays: typeof groups = { created: [], deleted: [], updated: [] }
  const moves: Move[] = []
  const listsByKind = { group: groups, array: arrays }
  for (const node of nodes) {
    const { before, after, replaced } = node
    const move = findMove(node, earlier, later)
    if (move !== undefined) moves.push(move)
    if (after === null) {
      const { kind, path } = earlier.nodes.at(before)
      listsByKind[kind].deleted.push(path)
      continue
    }
    const { kind, path, document } = later.nodes.at(after)
    const { created, updated } = listsByKind[kind]
    if (replaced !== null) updated.push({ path, before: replaced, after, isReplaced: true })
    else if (before === null) created.push(path)
    else if (Buffer.compare(earlier.nodes.at(before).document, document) !== 0)
      updated.push({ path, before, after, isReplaced: false })
  }
  return { groups, arrays, moves, chunks: null }
}
