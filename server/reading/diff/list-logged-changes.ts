import type { CombinedLogs, NodeId, Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { compareUtf8 } from '@floe/storage/objects'
import type { Changes, PlacedNode } from './changes.ts'
import { listIds } from './list-ids.ts'

type LoggedNode = PlacedNode & { readonly id: NodeId }

/**
 * Lists the changes in transaction logs with the path of each node in the later snapshot, or in the earlier one if the node was deleted.
 * Leaves out nodes that are in neither snapshot. If two nodes have the same path, lists the one in the later snapshot.
 *
 * @throws RequestProblem `damaged-repository` when a node has no id, and what the cancellation throws
 */
export function listLoggedChanges(
  before: Snapshot,
  after: Snapshot,
  logs: CombinedLogs,
  cancellation?: Cancellation,
): Changes {
  const nodes = placeNodes(before, after, listChangedIds(logs), cancellation)
  const select = (ids: Pick<ReadonlySet<NodeId>, 'has'>) => dropRepeatedPaths(nodes.filter(({ id }) => ids.has(id)))
  const selectAll = ({ created, deleted, updated }: CombinedLogs['groups']) => ({
    created: select(created).map(({ path }) => path),
    deleted: select(deleted).map(({ path }) => path),
    updated: select(updated),
  })
  return {
    groups: selectAll(logs.groups),
    arrays: selectAll(logs.arrays),
    moves: logs.moves,
    chunks: select(logs.chunks).map(({ id, path }) => ({ path, count: logs.chunks.get(id) ?? 0 })),
  }
}

function listChangedIds({ groups, arrays, chunks }: CombinedLogs): ReadonlySet<NodeId> {
  const ids = new Set(chunks.keys())
  for (const { created, deleted, updated } of [groups, arrays])
    for (const set of [created, deleted, updated]) for (const id of set) ids.add(id)
  return ids
}

/** Finds nodes in both snapshots, sorted by path. If two have the same path, the one in the later snapshot comes first. */
function placeNodes(
  before: Snapshot,
  after: Snapshot,
  ids: ReadonlySet<NodeId>,
  cancellation: Cancellation | undefined,
): LoggedNode[] {
  const unmatched = new Map<NodeId, number>()
  for (const [id, index] of listIds(before, cancellation)) if (ids.has(id)) unmatched.set(id, index)
  const present: LoggedNode[] = []
  for (const [id, index] of listIds(after, cancellation)) {
    if (!ids.has(id)) continue
    present.push({ id, path: after.nodes.readPath(index), before: unmatched.get(id) ?? null, after: index })
    unmatched.delete(id)
  }
  const gone = [...unmatched].map(([id, index]) => ({
    id,
    path: before.nodes.readPath(index),
    before: index,
    after: null,
  }))
  return mergeByPath(present, gone)
}

/** Merges two lists that are sorted by path. */
function mergeByPath(present: readonly LoggedNode[], gone: readonly LoggedNode[]): LoggedNode[] {
  const merged: LoggedNode[] = []
  let next = 0
  for (const node of present) {
    for (let other = gone[next]; other !== undefined && compareUtf8(other.path, node.path) < 0; other = gone[++next])
      merged.push(other)
    merged.push(node)
  }
  return merged.concat(gone.slice(next))
}

function dropRepeatedPaths(nodes: readonly LoggedNode[]): LoggedNode[] {
  return nodes.filter(({ path }, index) => index === 0 || nodes[index - 1]?.path !== path)
}
