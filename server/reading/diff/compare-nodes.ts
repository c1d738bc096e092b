import type { Move, NodeId, Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { Changes, PlacedNode } from './changes.ts'
import { listIds } from './list-ids.ts'

/**
 * Lists the differences of two snapshots that no transaction logs connect. Nodes are matched by id, not by path.
 *
 * @throws what the cancellation throws
 */
export function compareNodes(before: Snapshot, after: Snapshot, cancellation?: Cancellation): Changes {
  const groups = { created: new Array<string>(), deleted: new Array<string>(), updated: new Array<PlacedNode>() }
  const arrays: typeof groups = { created: [], deleted: [], updated: [] }
  const moves: Move[] = []
  const unmatched = new Map<NodeId, number>(listIds(before, cancellation))
  const listsOf = { group: groups, array: arrays }
  for (const [id, index] of listIds(after, cancellation)) {
    const node = after.nodes.at(index)
    const { path } = node
    const known = unmatched.get(id)
    if (known === undefined) {
      listsOf[node.kind].created.push(path)
      continue
    }
    unmatched.delete(id)
    const old = before.nodes.at(known)
    if (old.path !== path) moves.push({ from: old.path, to: path })
    if (Buffer.compare(old.document, node.document) !== 0)
      listsOf[node.kind].updated.push({ path, before: known, after: index })
  }
  for (const index of unmatched.values()) {
    const { kind, path } = before.nodes.at(index)
    listsOf[kind].deleted.push(path)
  }
  return { groups, arrays, moves, chunks: null }
}
