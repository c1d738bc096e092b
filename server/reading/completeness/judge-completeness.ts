// Judges whether arrays have as many chunks written as expected, with an answer that is small whatever the snapshot.
import type { IncompleteArray } from '@floe/contract'
import { maxListedArrays } from '@floe/contract/constants'
import { matchesSome } from '@floe/storage/globs'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { uncountedTexts } from '../../pages/parts/written-chunks.ts'
import { shorten } from '../../text/shorten.ts'
import { ListRoom } from '../list-room.ts'
import { countOnGrid, readGridCounts } from './count-chunks.ts'
import { listArrays } from './list-arrays.ts'

/** Whether the arrays of a snapshot have as many chunks written as expected. */
export type JudgedCompleteness = {
  readonly verdict: 'complete' | 'incomplete' | 'unknown'
  /** The first arrays with fewer chunks written. */
  readonly arrays: readonly IncompleteArray[]
  /** Number of all of them. */
  readonly incompleteArrays: number
  /** Why the verdict is unknown, or that no array has such a path. Null otherwise. */
  readonly reason: string | null
}

/** `path`: a pattern of paths of arrays; null for all. `share`: of the chunks of each that must be written. */
type Expected = { readonly path: string | null; readonly share: number }

/** Longest reason, in code points. */
const maxReasonLength = 300

/** How many bytes the paths in an answer may have. */
const maxPathBytes = 32_768

/**
 * Judges each array that counts by itself. One whose number of chunks is unknown makes the verdict unknown, unless
 * another is certainly incomplete. Scalars do not count: Zarr does not write one that equals its fill value. A pattern
 * that matches no array at all is a mistake, or its arrays are gone: it is incomplete.
 *
 * @throws what the cancellation throws
 */
export function judgeCompleteness(
  snapshot: Snapshot,
  { path: glob, share }: Expected,
  cancellation?: Cancellation,
): JsonBytes<JudgedCompleteness> {
  const incomplete: IncompleteArray[] = []
  let matching = 0
  let counted = 0
  let unknownReason: string | null = null
  for (const index of listArrays(snapshot, '', cancellation)) {
    const path = snapshot.nodes.readPath(index)
    if (glob !== null && !matchesSome([glob], path)) continue
    matching++
    const grid = readGridCounts(snapshot, index, cancellation)
    if (grid?.length === 0) continue
    counted++
    const chunks = countOnGrid(snapshot, index, grid, cancellation)
    if (typeof chunks === 'string') unknownReason ??= shorten(`${path}: ${uncountedTexts[chunks]}`, maxReasonLength)
    else if (chunks.written / chunks.total < share) incomplete.push({ path, chunks })
  }
  const isNowhere = glob !== null && matching === 0
  if (counted === 0) unknownReason = shorten(explainNothing(glob, matching > 0), maxReasonLength)
  const isIncomplete = incomplete.length > 0 || isNowhere
  const room = new ListRoom({ size: maxPathBytes })
  return new JsonWriter().write<JudgedCompleteness>({
    verdict: isIncomplete ? 'incomplete' : unknownReason === null ? 'complete' : 'unknown',
    arrays: incomplete
      .slice(0, maxListedArrays)
      .filter(({ path }) => room.take(Buffer.byteLength(JSON.stringify(path)))),
    incompleteArrays: incomplete.length,
    reason: incomplete.length > 0 ? null : unknownReason,
  })
}

/** Explains why no array counts. */
function explainNothing(glob: string | null, isMatching: boolean): string {
  if (glob === null) return 'No array has dimensions'
  return isMatching ? `No array that matches ${glob} has dimensions` : `No array has a path that matches ${glob}`
}
