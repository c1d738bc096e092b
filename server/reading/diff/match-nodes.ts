import type { Move, NodeId, Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { RequestProblem } from '../../problems/request-problem.ts'

/** A node of one snapshot or of both, by its index in each; null in a snapshot that does not contain it. */
export type MatchedNode =
  | {
      readonly before: number | null
      readonly after: number
      /** The index in the earlier snapshot of another node of the same kind that had its path; null without one. */
      readonly replaced: number | null
    }
  | { readonly before: number; readonly after: null; readonly replaced: null }

/** Number of paths between two checks of the cancellation. */
const pathsPerCheck = 1_000

/**
 * Matches the nodes of two snapshots by their ids, sorted by path: the later one, or the earlier one of a deleted node.
 * Leaves out the deleted nodes that were replaced.
 *
 * @throws RequestProblem `damaged-repository` when a node has no id, and what the cancellation throws
 */
export function matchNodes(before: Snapshot, after: Snapshot, cancellation?: Cancellation): readonly MatchedNode[] {
  const nodes: MatchedNode[] = []
  /** Nodes that the other snapshot does not have at the same path. */
  const [gone, arrived] = [new Map<NodeId, number>(), new Map<number, NodeId>()]
  const [lengthBefore, lengthAfter] = [before.nodes.length, after.nodes.length]
  let [old, current] = [0, 0]
  for (let paths = 0; old < lengthBefore || current < lengthAfter; paths++) {
    if (paths % pathsPerCheck === 0) cancellation?.throwIfAborted()
    const order = comparePaths(before, old, after, current)
    if (order === 0 && before.nodes.hasSameId(old, after.nodes, current)) {
      nodes.push({ before: old++, after: current++, replaced: null })
      continue
    }
    const isReplaced = order === 0 && before.nodes.readKind(old) === after.nodes.readKind(current)
    if (order >= 0) {
      nodes.push({ before: null, after: current, replaced: isReplaced ? old : null })
      arrived.set(current, readId(after, current++))
    }
    if (order <= 0) {
      if (!isReplaced) nodes.push({ before: old, after: null, replaced: null })
      gone.set(readId(before, old), old++)
    }
  }
  return gone.size === 0 || arrived.size === 0 ? nodes : joinMoved(nodes, gone, arrived)
}

/** Compares two paths by UTF-8 bytes. An index behind the last node comes after all paths. */
function comparePaths(before: Snapshot, old: number, after: Snapshot, current: number): number {
  if (old === before.nodes.length) return 1
  if (current === after.nodes.length) return -1
  return before.nodes.comparePaths(old, after.nodes, current)
}

/** Joins the two entries of each node that has another path than before. */
function joinMoved(
  nodes: readonly MatchedNode[],
  gone: ReadonlyMap<NodeId, number>,
  arrived: ReadonlyMap<number, NodeId>,
): readonly MatchedNode[] {
  const moved = new Map<number, number>()
  for (const [after, id] of arrived) {
    const before = gone.get(id)
    if (before !== undefined) moved.set(after, before)
  }
  if (moved.size === 0) return nodes
  const movedBefore = new Set(moved.values())
  const joined: MatchedNode[] = []
  for (const node of nodes) {
    if (node.after !== null) joined.push({ ...node, before: node.before ?? moved.get(node.after) ?? null })
    else if (!movedBefore.has(node.before)) joined.push(node)
  }
  return joined
}

/** The move of a node, however many steps it had; undefined if the node has the same path in both snapshots. */
export function findMove({ before, after }: MatchedNode, earlier: Snapshot, later: Snapshot): Move | undefined {
  if (before === null || after === null) return undefined
  if (earlier.nodes.comparePaths(before, later.nodes, after) === 0) return undefined
  return { from: earlier.nodes.readPath(before), to: later.nodes.readPath(after) }
}

/** Reads the id of a node. Throws {@link RequestProblem} `damaged-repository` when it has none. */
export function readId({ id: snapshot, nodes }: Snapshot, index: number): NodeId {
  const id = nodes.readId(index)
  if (id === undefined) throw new RequestProblem('damaged-repository', `a node of snapshot ${snapshot} has no id`)
  return id
}
