import type { Move, Snapshot } from '@floe/storage/icechunk'
import type { Changes, ChangedNode } from './changes.ts'
import { findMove, type MatchedNode } from './match-nodes.ts'

/** Lists the differences of two snapshots that no transaction logs connect. */
export function compareNodes(earlier: Snapshot, later: Snapshot, nodes: readonly MatchedNode[]): Changes {
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
