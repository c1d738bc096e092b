import type { ArrayGaps } from '@floe/contract'
import type { Cancellation } from '@floe/storage/json'
import { GapFinder } from './array-gaps.ts'
import { ReadAllowance } from './read-plan.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'

/** What is read and computed beside another answer, so that this comes almost as fast as without. */
const limits = { manifests: 16, storedBytes: 2 * 1024 ** 2, positions: 2 ** 22 }

/** Of more arrays, the others are left out. */
export const maxFewArrays = 100

/** Allows few and small manifests. */
export function allowFew(): ReadAllowance {
  return new ReadAllowance(limits)
}

/**
 * Finds the gaps of the first arrays that need few and small manifests, by their paths. They count only if no manifest
 * is missing from the source then.
 *
 * @throws what the cancellation throws
 */
export function findFewGaps(
  source: SnapshotManifests,
  paths: readonly string[],
  cancellation: Cancellation | undefined,
): ReadonlyMap<string, ArrayGaps> {
  const found = new Map<string, ArrayGaps>()
  const finder = new GapFinder(source, { group: '' }, cancellation, allowFew())
  for (const path of paths.slice(0, maxFewArrays)) {
    const index = source.snapshot.nodes.findIndex(path)
    if (index === undefined) continue
    const { array } = finder.find({ index, path })
    if (array.chunks !== null) found.set(path, array)
  }
  return found
}
