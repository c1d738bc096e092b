// How many chunks of arrays are written, in words.
import type { UncountedReason, WrittenChunks } from '@floe/contract'
import { formatShare } from './format-count.ts'

/** How many chunks of an array are written, or why that is unknown. */
export type ChunkCount = WrittenChunks | UncountedReason

/** Whether an array certainly has chunks that are not written. */
export function isIncomplete(chunks: ChunkCount | undefined): chunks is WrittenChunks {
  return typeof chunks === 'object' && chunks.written < chunks.total
}

/** `46 of 48 chunks written`, `all written`; empty without any chunks. */
export function describeWritten(chunks: ChunkCount | undefined, unit: 'chunk' | 'shard'): string {
  if (chunks === undefined) return ''
  if (typeof chunks === 'string') return 'unknown'
  if (chunks.written === chunks.total) return chunks.total === 0 ? '' : 'all written'
  return `${formatShare(chunks)} ${unit}${chunks.total === 1 ? '' : 's'} written`
}

/** How many chunks of an array are written in two snapshots; null where it is unknown, or there is no such array. */
export type WrittenChange = { readonly before: WrittenChunks | null; readonly after: WrittenChunks | null }

/** `24 of 24 → 46 of 48 written`: the sums of some arrays. Empty if one of them is unknown. */
export function describeWrittenChange(changes: readonly WrittenChange[]): string {
  const after = addUp(changes.map(({ after }) => after))
  if (after === undefined) return ''
  const before = addUp(changes.map(({ before }) => before))
  const shares = [before, after].flatMap((chunks) => (chunks === undefined ? [] : [formatShare(chunks)]))
  return `${[...new Set(shares)].join(' → ')} written`
}

function addUp(counts: readonly (WrittenChunks | null)[]): WrittenChunks | undefined {
  const sum = { written: 0, total: 0 }
  for (const chunks of counts) {
    if (chunks === null) return undefined
    sum.written += chunks.written
    sum.total += chunks.total
  }
  return sum
}

/** Why the number of written chunks is unknown, as the end of a sentence. */
export const uncountedTexts: Readonly<Record<UncountedReason, string>> = {
  shared_manifest: 'several arrays share a manifest',
  outside_grid: 'there may be chunks outside of the grid, which Icechunk before 1.0 leaves behind in smaller arrays',
  unknown_grid: 'the chunk grid is unknown',
  too_large: 'there are too many chunks',
  too_many_manifests: 'the snapshot has too many manifests',
  contradictory: 'the snapshot contradicts itself',
}
