// Finds the gaps of arrays that were filled between two snapshots.
import type { PositionRange } from '@floe/contract'
import { maxGapRanges } from '@floe/contract/constants'
import type { Cancellation } from '@floe/storage/json'
import { type FoundGaps, GapFinder } from '../../gaps/array-gaps.ts'
import { ReadAllowance } from '../../gaps/read-plan.ts'
import type { SnapshotManifests } from '../../manifests/snapshot-manifests.ts'
import type { ChangedChunks } from '../changes.ts'

/** The gaps of an array that were filled. */
export type FilledGaps = {
  /** The dimension along which they are listed; null without one, or if it is unknown. */
  readonly along: string | null
  /** Null if it is unknown, or positions mean something else than before, or only one snapshot has the array. */
  readonly filled: PositionRange[] | null
  /** Whether the list was cut. */
  readonly isCut: boolean
}

/** Finds the filled gaps of some arrays, which together are limited in what they read. */
export class FilledGapFinder {
  readonly #before: SnapshotManifests
  readonly #after: SnapshotManifests
  readonly #finders: { readonly before: GapFinder; readonly after: GapFinder }

  constructor(
    before: SnapshotManifests,
    after: SnapshotManifests,
    cancellation: Cancellation | undefined,
    allowance = new ReadAllowance(),
  ) {
    this.#before = before
    this.#after = after
    const open = (source: SnapshotManifests) => new GapFinder(source, { group: '' }, cancellation, allowance)
    this.#finders = { before: open(before), after: open(after) }
  }

  /**
   * Finds the filled gaps of an array along the dimension that is chosen for it in the later snapshot. They count only
   * if no manifest is missing then.
   *
   * @throws what the cancellation throws
   */
  find({ before, after }: Pick<ChangedChunks, 'before' | 'after'>): FilledGaps {
    if (before === null || after === null) return { along: null, filled: null, isCut: false }
    const later = this.#finders.after.find({ index: after, path: this.#after.snapshot.nodes.readPath(after) })
    const { along } = later.array
    const path = this.#before.snapshot.nodes.readPath(before)
    const earlier = this.#finders.before.find({ index: before, path }, along ?? undefined)
    const isKnown = earlier.array.chunks !== null && later.array.chunks !== null
    if (!isKnown || !isComparable(earlier, later)) return { along, filled: null, isCut: false }
    const filled = listFilled(earlier, later)
    return { along, filled: filled.slice(0, maxGapRanges), isCut: filled.length > maxGapRanges }
  }
}

/** Whether a position is of the same elements in both. */
function isComparable({ array: earlier }: FoundGaps, { array: later }: FoundGaps): boolean {
  if (later.along === null) return earlier.dimensions.length === later.dimensions.length
  const [before, after] = [earlier, later].map(({ dimensions }) => dimensions.find(({ name }) => name === later.along))
  return before !== undefined && before.size === after?.size
}

/** Lists the positions that lacked chunks and lack none any more, one range more than are listed if there are more. */
function listFilled(earlier: FoundGaps, later: FoundGaps): PositionRange[] {
  const filled = new Array<PositionRange>()
  const total = earlier.array.gaps[0]?.total
  const { last_written: lastBefore } = earlier.array
  const { last_written: lastAfter } = later.array
  if (total === undefined || lastBefore === null || lastAfter === null) return filled
  const totalAfter = later.array.gaps[0]?.total
  const end = Math.min(lastBefore, lastAfter) + 1
  const isFilled = (position: number) => {
    const [before, after] = [earlier.steps?.[position] ?? 0, later.steps?.[position] ?? 0]
    // More than before too: a slice of another dimension may have become empty everywhere, and so no gap.
    return before < total && after > before && (totalAfter === undefined || after === totalAfter)
  }
  for (let first = 0; first < end && filled.length <= maxGapRanges; first++) {
    if (!isFilled(first)) continue
    let last = first
    while (last + 1 < end && isFilled(last + 1)) last++
    filled.push({ first, last })
    first = last
  }
  return filled
}
