import type { CombinedLogs, NodeId, Snapshot } from '@floe/storage/icechunk'
import type { ChangedChunks, Changes, ChangedNode } from './changes.ts'
import { type MatchedNode, readId } from './match-nodes.ts'

/**
 * Lists the changes in transaction logs with the path of each node in the later snapshot, or in the earlier one if the
 * node was deleted. Leaves out nodes that are in neither snapshot. A replaced node is in the list of updated ones only,
 * though the logs say that one node was deleted, or moved, and another created.
 */
export function listLoggedChanges(
  earlier: Snapshot,
  later: Snapshot,
  nodes: readonly MatchedNode[],
  logs: CombinedLogs,
): Changes {
  const groups = { created: new Array<string>(), deleted: new Array<string>(), updated: new Array<ChangedNode>() }
  const arrays: typeof groups = { created: [], deleted: [], updated: [] }
  const chunks: ChangedChunks[] = []
  const listsByKind = { group: { logged: logs.groups, listed: groups }, array: { logged: logs.arrays, listed: arrays } }
  const ids = listChangedIds(logs)
  const starts = markStarts(ids)
  for (const { before, after, replaced } of nodes) {
    const [snapshot, index] = after === null ? [earlier, before] : [later, after]
    // Most nodes did not change, and the texts of their ids would take most of the time.
    if (replaced === null && starts[snapshot.nodes.readIdStart(index) ?? 0] === 0) continue
    const id = readId(snapshot, index)
    if (replaced === null && !ids.has(id)) continue
    const { kind, path } = after === null ? earlier.nodes.at(before) : later.nodes.at(after)
    const { logged, listed } = listsByKind[kind]
    if (replaced !== null) listed.updated.push({ path, before: replaced, after, isReplaced: true })
    else {
      if (logged.created.has(id)) listed.created.push(path)
      if (logged.deleted.has(id)) listed.deleted.push(path)
      if (logged.updated.has(id)) listed.updated.push({ path, before, after, isReplaced: false })
    }
    const count = logs.chunks.get(id)
    if (count !== undefined) chunks.push({ path, count, before: replaced ?? before, after })
  }
  return { groups, arrays, moves: logs.moves, chunks }
}

/** Marks the first two bytes of the ids. */
function markStarts(ids: ReadonlySet<NodeId>): Uint8Array {
  const starts = new Uint8Array(65_536)
  // An id has one character for each byte.
  for (const id of ids) starts[id.charCodeAt(0) * 256 + id.charCodeAt(1)] = 1
  return starts
}

function listChangedIds({ groups, arrays, chunks }: CombinedLogs): ReadonlySet<NodeId> {
  const ids = new Set(chunks.keys())
  for (const { created, deleted, updated } of [groups, arrays])
    for (const set of [created, deleted, updated]) for (const id of set) ids.add(id)
  return ids
}
