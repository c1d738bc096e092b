// Judges whether arrays have as many chunks written as expected.
import { matchesSome } from '@floe/storage/globs'
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation, JsonBytes } from '@floe/storage/json'
import { uncountedTexts } from '../../pages/parts/written-chunks.ts'
import { countOnGrid, readGridCounts } from './count-chunks.ts'
import { JudgedArrays, type JudgedCompleteness } from './judged-arrays.ts'
import { listArrays } from './list-arrays.ts'

/** `path`: a pattern of paths of arrays; null for all. `share`: of the chunks of each that must be written. */
type Expected = { readonly path: string | null; readonly share: number }

/**
 * Judges each array that counts by itself. Scalars do not count: Zarr does not write one that equals its fill value. A
 * pattern that matches no array at all is a mistake, or its arrays are gone: it is incomplete.
 *
 * @throws what the cancellation throws
 */
export function judgeCompleteness(
  snapshot: Snapshot,
  { path: glob, share }: Expected,
  cancellation?: Cancellation,
): JsonBytes<JudgedCompleteness> {
  const judged = new JudgedArrays()
  let matching = 0
  let counted = 0
  for (const index of listArrays(snapshot, '', cancellation)) {
    const path = snapshot.nodes.readPath(index)
    if (glob !== null && !matchesSome([glob], path)) continue
    matching++
    const grid = readGridCounts(snapshot, index, cancellation)
    if (grid?.length === 0) continue
    counted++
    const chunks = countOnGrid(snapshot, index, grid, cancellation)
    if (typeof chunks === 'string') judged.addUnknown(path, uncountedTexts[chunks])
    else if (chunks.written / chunks.total < share) judged.addIncomplete({ path, chunks })
  }
  const isNowhere = glob !== null && matching === 0
  return judged.write(counted > 0 ? null : { reason: explainNothing(glob, matching > 0), isMistake: isNowhere })
}

/** Explains why no array counts. */
function explainNothing(glob: string | null, isMatching: boolean): string {
  if (glob === null) return 'No array has dimensions'
  return isMatching ? `No array that matches ${glob} has dimensions` : `No array has a path that matches ${glob}`
}
