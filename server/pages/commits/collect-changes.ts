// What changed, by path: one entry for each node that the page lists.
import type { PositionRange } from '@floe/contract'
import type { WrittenChange } from '../parts/written-chunks.ts'
import type { ShownDocumentChanges } from './value-table.ts'
import { listCounts } from '../parts/format-count.ts'

/** The groups, or the arrays, that changed. Each list is sorted by UTF-8 bytes. Paths have no leading slash. */
export type ShownChangedNodes = {
  readonly created: readonly string[]
  readonly deleted: readonly string[]
  readonly updated: readonly {
    readonly path: string
    /** Whether another node of the same kind had the path before. */
    readonly isReplaced: boolean
    /** Compares the documents; returns null for a node that only one of the snapshots contains. */
    readonly compare: () => ShownDocumentChanges | null
  }[]
}

export type ShownChanges = {
  readonly groups: ShownChangedNodes
  readonly arrays: ShownChangedNodes
  readonly moves: readonly { readonly from: string; readonly to: string }[]
  /** Number of chunks that were written or deleted, by array; null when it is unknown. */
  readonly chunks:
    | readonly {
        readonly path: string
        readonly count: number
        readonly countWritten: () => WrittenChange
        /** Null when it is unknown. */
        readonly facts: ChunkFacts | null
      }[]
    | null
}

/** What manifests tell about the changed chunks of an array. */
export type ChunkFacts = {
  /** How many bytes its chunks have more than before; null when it is unknown. */
  readonly growth: { readonly stored: number; readonly virtual: number } | null
  /** The gaps that were filled along a dimension; null when they are unknown. */
  readonly filled: { readonly along: string; readonly ranges: readonly PositionRange[] } | null
}

export type NodeChange = {
  /** Null when it is unknown. */
  readonly kind: 'group' | 'array' | null
  /** `updated` includes a node with only another path or other chunks. */
  readonly change: 'created' | 'deleted' | 'replaced' | 'updated'
  /** The kind of the replaced node if it differs; null otherwise. */
  readonly replacedKind: 'group' | 'array' | null
  readonly compare: (() => ShownDocumentChanges | null) | null
  readonly movedFrom: string | null
  readonly chunks: number
  /** Null for a node without changed chunks. */
  readonly countWritten: (() => WrittenChange) | null
  readonly facts: ChunkFacts | null
}

const unchanged: NodeChange = {
  kind: null,
  change: 'updated',
  replacedKind: null,
  compare: null,
  movedFrom: null,
  chunks: 0,
  countWritten: null,
  facts: null,
}

/** Collects the changes of each node, by path. */
export function collectChanges({ groups, arrays, moves, chunks }: ShownChanges): ReadonlyMap<string, NodeChange> {
  const nodes = new Map<string, NodeChange>()
  const add = (path: string, change: Partial<NodeChange>) => {
    nodes.set(path, { ...(nodes.get(path) ?? unchanged), ...change })
  }
  const kinds = [
    ['group', groups],
    ['array', arrays],
  ] as const
  for (const [kind, { deleted }] of kinds) for (const path of deleted) add(path, { kind, change: 'deleted' })
  for (const [kind, { created }] of kinds)
    for (const path of created) {
      const replacedKind = nodes.get(path)?.kind ?? null
      add(path, { kind, change: replacedKind === null ? 'created' : 'replaced', replacedKind })
    }
  for (const [kind, { updated }] of kinds)
    for (const { path, isReplaced, compare } of updated) {
      // A node that was also created or deleted has no other version to compare.
      if (!nodes.has(path)) add(path, { kind, change: isReplaced ? 'replaced' : 'updated', compare })
    }
  for (const { from, to } of moves) add(to, { movedFrom: from })
  for (const { path, count, countWritten, facts } of chunks ?? [])
    add(path, { kind: nodes.get(path)?.kind ?? 'array', chunks: count, countWritten, facts })
  return nodes
}

/** Counts the nodes of each kind of change, such as `1 created, 2 with changed chunks`. */
export function countChanges(nodes: ReadonlyMap<string, NodeChange>): string {
  const all = [...nodes.values()]
  const counts: readonly (readonly [words: string, isCounted: (node: NodeChange) => boolean])[] = [
    ['created', ({ change }) => change === 'created'],
    ['deleted', ({ change }) => change === 'deleted'],
    ['replaced', ({ change }) => change === 'replaced'],
    ['updated', ({ change, compare }) => change === 'updated' && compare !== null],
    ['moved', ({ movedFrom }) => movedFrom !== null],
    ['with changed chunks', ({ chunks }) => chunks > 0],
  ]
  const parts = counts.map(([words, isCounted]) => [all.filter(isCounted).length, words] as const)
  return listCounts(parts, 'none')
}
