// Finds gaps in the counts of the written chunks along the dimensions of an array.
import type { ChunkGap, EmptySlices, GapDimension } from '@floe/contract'
import { maxGapRanges, maxProfileBins } from '@floe/contract/constants'

export type Gaps = {
  /** The last position with any chunk. Null when none is written. */
  readonly lastWritten: number | null
  readonly gaps: ChunkGap[]
  readonly patterns: EmptySlices[]
  /** Whether a list was cut. */
  readonly isCut: boolean
}

/**
 * Finds the gaps along one dimension. Slices of other dimensions that have no written chunk at any position are
 * patterns; a gap does not count their chunks. What lies beyond the last position with any chunk is no gap.
 *
 * @param counts the written chunks at each position of each dimension
 * @param names of the dimensions
 */
export function findGaps(counts: readonly Uint32Array[], names: readonly string[], along: number): Gaps {
  const steps = counts[along] ?? new Uint32Array(0)
  const lastWritten = steps.findLastIndex((written) => written > 0)
  if (lastWritten === -1) return { lastWritten: null, gaps: [], patterns: [], isCut: false }
  const patterns = new Array<EmptySlices>()
  let total = 1
  let isCut = false
  for (const [axis, slices] of counts.entries()) {
    if (axis === along) continue
    let written = 0
    for (const count of slices) if (count > 0) written++
    total *= written
    if (written === slices.length) continue
    for (const { first, last } of listRanges(slices, slices.length, (count) => count === 0)) {
      if (patterns.length === maxGapRanges) isCut = true
      if (isCut) break
      patterns.push({ dimension: names[axis] ?? '', first, last })
    }
  }
  const gaps = new Array<ChunkGap>()
  for (const { first, last } of listRanges(steps, lastWritten + 1, (written) => written < total)) {
    if (gaps.length === maxGapRanges) {
      isCut = true
      break
    }
    gaps.push({ first, last, written: steps[first] ?? 0, total })
  }
  return { lastWritten, gaps, patterns, isCut }
}

/** Lists the ranges of equal counts that are asked for. */
function* listRanges(counts: Uint32Array, end: number, isAsked: (count: number) => boolean) {
  for (let first = 0; first < end;) {
    const count = counts[first] ?? 0
    let last = first
    while (last + 1 < end && counts[last + 1] === count) last++
    if (isAsked(count)) yield { first, last }
    first = last + 1
  }
}

/**
 * Adds up counts in bins of equal width, as few positions each as the limit of bins allows.
 *
 * @param counts none when nothing is written
 */
export function binCounts(
  positions: number,
  counts: Uint32Array = new Uint32Array(),
): NonNullable<GapDimension['profile']> {
  const bin = Math.max(1, Math.ceil(positions / maxProfileBins))
  const written = Array.from({ length: Math.ceil(positions / bin) }, () => 0)
  for (let position = 0; position < counts.length; position++) {
    const at = Math.floor(position / bin)
    written[at] = (written[at] ?? 0) + (counts[position] ?? 0)
  }
  return { bin, written }
}
