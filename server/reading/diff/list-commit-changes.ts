import type { CommitChanges } from '@floe/contract'
import { maxCommitChanges, type NodeChange, nodeChanges } from '@floe/contract/constants'
import { matchesSome } from '@floe/storage/globs'
import type { Cancellation } from '@floe/storage/json'
import { compareUtf8 } from '@floe/storage/objects'
import { type ChangedNode, type ComparedSnapshots, explainUnknownChunks, listMovedNodes } from './changes.ts'
import { DocumentComparison } from './compare-documents.ts'

/** What happened at one path. */
type PathState = {
  readonly changes: Set<NodeChange>
  /** The node whose documents are compared. */
  updated: ChangedNode | undefined
  chunks: number
  movedFrom: string | null
}

/**
 * Lists what changed from one snapshot to another in the nodes whose path matches a pattern, before or after a move.
 * Throws {@link DocumentsTooLargeError}, and what the cancellation throws.
 */
export function listCommitChanges(
  compared: ComparedSnapshots,
  glob: string,
  cancellation?: Cancellation,
): CommitChanges {
  const found = collectStates(compared, (path) => matchesSome([glob], path), cancellation)
  const documents = new DocumentComparison(compared.before.nodes, compared.after.nodes, cancellation)
  const listed = [...found].sort(([one], [other]) => compareUtf8(one, other)).slice(0, maxCommitChanges)
  const areChunksKnown = compared.changes.chunks !== null
  return {
    nodes: listed.map(([path, { changes, updated, chunks, movedFrom }]) => {
      if (updated !== undefined) compareDocuments(updated, changes, documents)
      return {
        path,
        changes: nodeChanges.filter((change) => changes.has(change)),
        chunks: areChunksKnown ? chunks : null,
        moved_from: movedFrom,
      }
    }),
    count: found.size,
    unknown_reason: explainUnknownChunks(compared),
  }
}

function collectStates(
  compared: ComparedSnapshots,
  isMatch: (path: string) => boolean,
  cancellation: Cancellation | undefined,
): ReadonlyMap<string, PathState> {
  const { groups, arrays, chunks } = compared.changes
  const found = new Map<string, PathState>()
  /** The state of a path that is asked for; undefined for another. */
  const find = (path: string) => {
    const existing = found.get(path)
    return existing ?? (isMatch(path) ? add(path) : undefined)
  }
  const add = (path: string): PathState => {
    const state: PathState = { changes: new Set(), updated: undefined, chunks: 0, movedFrom: null }
    found.set(path, state)
    return state
  }
  // Moves first, because what was asked for can have another path now.
  for (const { from, to } of listMovedNodes(compared)) {
    const state = find(to) ?? (isMatch(from) ? add(to) : undefined)
    state?.changes.add('moved')
    if (state !== undefined) state.movedFrom = from
  }
  for (const { created, deleted, updated } of [groups, arrays]) {
    cancellation?.throwIfAborted()
    for (const path of created) find(path)?.changes.add('created')
    for (const path of deleted) find(path)?.changes.add('deleted')
    for (const node of updated) {
      const state = find(node.path)
      if (state !== undefined) state.updated = node
    }
  }
  for (const { path, count } of chunks ?? []) {
    const state = find(path)
    state?.changes.add('chunks')
    if (state !== undefined) state.chunks += count
  }
  return found
}

/** Adds what differs in the documents of an updated node; `updated` if nothing else says what happened to it. */
function compareDocuments(node: ChangedNode, changes: Set<NodeChange>, documents: DocumentComparison): void {
  if (node.isReplaced) changes.add('replaced')
  const differences = documents.compare(node)
  if (differences !== null && 'named' in differences) {
    const { shape, ...others } = differences.named
    if (differences.attributes.length > 0) changes.add('attributes')
    if (shape !== undefined) changes.add('shape')
    if (Object.keys(others).length + differences.others.length > 0) changes.add('updated')
  }
  if (!documentChanges.some((change) => changes.has(change))) changes.add('updated')
}

/** Changes that are reasons to write the document of a node. */
const documentChanges: readonly NodeChange[] = ['created', 'replaced', 'shape', 'attributes']
