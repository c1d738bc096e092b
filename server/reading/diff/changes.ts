import type { LogFiles, Move, Snapshot } from '@floe/storage/icechunk'
import { findMove, type MatchedNode } from './match-nodes.ts'

/** A node before and after, by its index in each snapshot; null in a snapshot that does not contain it. */
export type ChangedNode = {
  readonly path: string
  readonly before: number | null
  readonly after: number | null
  /** Whether these are two nodes: the later one has the path that the earlier one had. */
  readonly isReplaced: boolean
}

/** The groups, or the arrays, that changed. Each list is sorted by the UTF-8 bytes of the paths. */
export type ChangedNodes = {
  readonly created: readonly string[]
  readonly deleted: readonly string[]
  /** Nodes whose documents were written, and those that replaced another one of their kind. */
  readonly updated: readonly ChangedNode[]
}

/** What changed from one snapshot to another. */
export type Changes = {
  readonly groups: ChangedNodes
  readonly arrays: ChangedNodes
  readonly moves: readonly Move[]
  /** Sorted by path; null when only the snapshots were compared, which does not show them. */
  readonly chunks: readonly ChangedChunks[] | null
}

/**
 * How many chunks of an array were written or deleted; of a replaced array, those of the new one. `before` and `after`
 * are its indexes in the snapshots, null in one that does not contain it. `before` may be the replaced array.
 */
export type ChangedChunks = {
  readonly path: string
  readonly count: number
  readonly before: number | null
  readonly after: number | null
}

/** Two snapshots and what changed from one to the other. */
export type ComparedSnapshots = {
  readonly before: Snapshot
  readonly after: Snapshot
  readonly nodes: readonly MatchedNode[]
  readonly changes: Changes
  /** Why the logs between the snapshots could not be combined; the changed chunks are then unknown. */
  readonly chunksUnavailable: Exclude<LogFiles['kind'], 'logs'> | null
}

/** Lists the nodes that have another path than before, also those in a group that was moved, by their later paths. */
export function* listMovedNodes({ before, after, nodes, changes }: ComparedSnapshots): Generator<Move> {
  if (changes.moves.length === 0) return
  for (const node of nodes) {
    const move = findMove(node, before, after)
    if (move !== undefined) yield move
  }
}

const unavailable = { 'not-an-ancestor': 'not_an_ancestor', missing: 'transaction_log_missing' } as const

/** Explains in the form of the contract why it is unknown which chunks changed; null if it is known. */
export function explainUnknownChunks({ chunksUnavailable }: Pick<ComparedSnapshots, 'chunksUnavailable'>) {
  return chunksUnavailable && unavailable[chunksUnavailable]
}
