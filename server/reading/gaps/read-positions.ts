import type { UnknownGapsReason } from '@floe/contract'
import type { ManifestArray, NamedManifest, NodeId } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { ReadPlan } from './read-plan.ts'
import { findArray, type SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { WrittenPositions } from './positions/written-positions.ts'

/** An array, and what must be read of it. */
type PlannedArray = Pick<ReadPlan, 'boxes' | 'manifests'> & {
  readonly node: NodeId | undefined
  readonly grid: readonly number[]
}

/**
 * Reads which positions of an array are written. Says why it is unknown, if that is so.
 *
 * @throws what the cancellation throws
 */
export function readPositions(
  source: SnapshotManifests,
  { node, grid, boxes, manifests }: PlannedArray,
  cancellation?: Cancellation,
): WrittenPositions | UnknownGapsReason {
  const read = manifests.map((named) => ({ named, found: source.find(named.id) }))
  const positions = new WrittenPositions(source.missing.size > 0 ? [0] : grid, cancellation)
  // The positions are dropped then, and so need not be read.
  if (source.missing.size > 0) return positions
  for (const box of boxes) positions.addBox(box)
  for (const { named, found } of read) {
    if (typeof found === 'string') return found
    const array = found === undefined ? undefined : findArray(found, node)
    if (array !== undefined && isAsNamed(array, named)) positions.addNamed(array)
    else if (array !== undefined || !named.isShared) return 'contradictory'
  }
  return positions.isNamedTwice ? 'contradictory' : positions
}

/**
 * Whether the positions lie in the ranges that the snapshot states, where readers look a chunk up, and are no more than
 * it states. They can be fewer: a manifest can also have chunks of an array that was deleted.
 */
function isAsNamed(array: ManifestArray, { ranges, references }: NamedManifest): boolean {
  const { first, size, native, inline, virtual } = array
  return (
    native.chunks + inline.chunks + virtual.chunks <= references &&
    first.length === ranges.length &&
    ranges.every(([start, end], axis) => {
      const lowest = first[axis] ?? 0
      return lowest >= start && lowest + (size[axis] ?? 0) <= end
    })
  )
}
