import type { WrittenChunks } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { WrittenChange } from '../../../pages/parts/written-chunks.ts'
import { countChunks } from '../../completeness/count-chunks.ts'
import type { ChangedChunks, ComparedSnapshots } from '../changes.ts'

/** Counts how many chunks of an array are written in the two snapshots. Throws what the cancellation throws. */
export function countWritten(
  { before, after }: Pick<ComparedSnapshots, 'before' | 'after'>,
  changed: Pick<ChangedChunks, 'before' | 'after'>,
  cancellation: Cancellation | undefined,
): WrittenChange {
  return { before: countIn(before, changed.before, cancellation), after: countIn(after, changed.after, cancellation) }
}

function countIn(
  snapshot: Snapshot,
  index: number | null,
  cancellation: Cancellation | undefined,
): WrittenChunks | null {
  if (index === null) return null
  const chunks = countChunks(snapshot, index, cancellation)
  return typeof chunks === 'string' ? null : chunks
}
