// Finds the gaps of the arrays of a snapshot. The same functions plan and answer: they look up the manifests that they
// need, and when one has not been read, what they return does not count.
import type { ArrayGaps, EmptySlices, UnknownGapsReason, WrittenChunks } from '@floe/contract'
import { matchesSome } from '@floe/storage/globs'
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { compareUtf8 } from '@floe/storage/objects'
import { readGridCounts } from '../completeness/count-chunks.ts'
import { listArrays } from '../completeness/list-arrays.ts'
import { ParsingBatches } from '../parsing-batches.ts'
import { AlongChooser } from './choose-along.ts'
import { binCounts, findGaps } from './find-gaps.ts'
import { type ChunkedDimension, readDimensions } from './read-dimensions.ts'
import { planReading, ReadAllowance } from './read-plan.ts'
import { readPositions } from './read-positions.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { multiply } from './positions/strides.ts'
import type { WrittenPositions } from './positions/written-positions.ts'

/** Which arrays are asked for, and along which dimension. */
export type AskedArrays = {
  /** Only arrays below this group. */
  readonly group: string
  /** Only arrays whose path matches this pattern. */
  readonly path?: string | undefined
  /** Only arrays after this path. */
  readonly after?: string | undefined
  /** The dimension along which gaps are found. Without it, one is chosen, and each dimension has a profile. */
  readonly along?: string | undefined
  /** Slices that do not count, as if no chunk of them was written. The chunks of the whole array count them. */
  readonly ignore?: readonly EmptySlices[]
}

/** What was found out about an array. */
export type FoundGaps = {
  readonly array: ArrayGaps
  /** How many chunks are written at each position along the dimension. Null if unknown, or without positions. */
  readonly steps: Uint32Array | null
  /** Whether a list of the array was cut. */
  readonly isCut: boolean
  /** Whether it is unknown only because other arrays before it took what one question may read. */
  readonly isLater: boolean
}

type Found = Pick<ArrayGaps, 'chunks' | 'reason' | 'outside' | 'last_written' | 'gaps' | 'patterns'> &
  Omit<FoundGaps, 'array'> & { readonly counts: readonly Uint32Array[] | null }

/** An array by the index of its node. */
export type AskedArray = { readonly index: number; readonly path: string }

/**
 * Lists the gaps of arrays, sorted by the UTF-8 bytes of their paths. They count only if no manifest is missing from
 * the source then.
 *
 * @throws what the cancellation throws
 */
export function* listArrayGaps(
  source: SnapshotManifests,
  asked: AskedArrays,
  cancellation?: Cancellation,
): Generator<FoundGaps> {
  const finder = new GapFinder(source, asked, cancellation)
  for (const array of listAskedArrays(source.snapshot, asked, cancellation)) yield finder.find(array)
}

/**
 * Lists the arrays that are asked for, sorted by the UTF-8 bytes of their paths.
 *
 * @throws what the cancellation throws
 */
export function* listAskedArrays(
  snapshot: Snapshot,
  { group, path: glob, after }: AskedArrays,
  cancellation?: Cancellation,
): Generator<AskedArray> {
  for (const index of listArrays(snapshot, group, cancellation)) {
    const path = snapshot.nodes.readPath(index)
    if (after !== undefined && compareUtf8(path, after) <= 0) continue
    if (glob === undefined || matchesSome([glob], path)) yield { index, path }
  }
}

/** Finds the gaps of some arrays of a snapshot, which together are limited in what they read. */
export class GapFinder {
  readonly #source: SnapshotManifests
  readonly #snapshot: Snapshot
  readonly #asked: AskedArrays
  readonly #cancellation: Cancellation | undefined
  readonly #allowance: ReadAllowance
  readonly #parsing: ParsingBatches
  readonly #chooser: AlongChooser

  constructor(
    source: SnapshotManifests,
    asked: AskedArrays,
    cancellation: Cancellation | undefined,
    allowance = new ReadAllowance(),
  ) {
    this.#allowance = allowance
    this.#source = source
    this.#snapshot = source.snapshot
    this.#asked = asked
    this.#cancellation = cancellation
    this.#parsing = new ParsingBatches(cancellation)
    this.#chooser = new AlongChooser(source.snapshot, this.#parsing)
  }

  /**
   * @param name of the dimension along which gaps are found, if it is not the one that is asked for
   * @throws what the cancellation throws
   */
  find({ index, path }: AskedArray, name = this.#asked.along): FoundGaps {
    this.#cancellation?.throwIfAborted()
    const grid = readGridCounts(this.#snapshot, index, this.#cancellation)
    if (grid === null) return this.#describe(path, [], null, unknown('unknown_grid'))
    const dimensions = readDimensions(this.#snapshot, index, grid, this.#parsing)
    const along = this.#findAlong(path, dimensions, name)
    return this.#describe(path, dimensions, along, this.#findChunks(index, grid, dimensions, along))
  }

  /** Returns the index of the dimension along which gaps are listed; null if the array has none. */
  #findAlong(path: string, dimensions: readonly ChunkedDimension[], asked: string | undefined): number | null {
    if (asked === undefined) return this.#chooser.choose(path, dimensions)
    const along = dimensions.findIndex(({ name }) => name === asked)
    return along === -1 ? null : along
  }

  #findChunks(
    index: number,
    grid: readonly number[],
    dimensions: readonly ChunkedDimension[],
    along: number | null,
  ): Found {
    const total = multiply(grid)
    if (total > Number.MAX_SAFE_INTEGER) return unknown('too_large')
    const named = this.#snapshot.chunkReferences.listManifests(index, this.#cancellation)
    const plan = typeof named === 'string' ? named : planReading(grid, named)
    if (typeof plan === 'string') return unknown(plan)
    const { boxes, manifests, counted, isCounted } = plan
    if (isCounted && counted > total) return unknown('contradictory')
    if (isCounted && (counted === 0 || along === null)) return withoutGaps({ written: counted, total })
    const isFirst = this.#allowance.isWhole
    const refused = this.#allowance.take(grid, manifests)
    if (refused !== undefined) return { ...unknown(refused.reason), isLater: refused.isLater }
    const node = this.#snapshot.nodes.readId(index)
    const positions = readPositions(this.#source, { node, grid, boxes, manifests }, this.#cancellation)
    if (typeof positions === 'string') {
      return { ...unknown(positions), isLater: positions === 'too_many_manifests' && !isFirst }
    }
    // It will be asked for again, when the manifests have been read.
    if (this.#source.missing.size > 0) return withoutGaps(null)
    return this.#countPositions(positions, total, dimensions, along)
  }

  #countPositions(
    positions: WrittenPositions,
    total: number,
    dimensions: readonly ChunkedDimension[],
    along: number | null,
  ): Found {
    const chunks = { written: positions.count(), total }
    const { outside } = positions
    if (along === null) return { ...withoutGaps(chunks), outside }
    for (const { dimension, first, last } of this.#asked.ignore ?? []) {
      const axis = dimensions.findIndex(({ name }) => name === dimension)
      const end = Math.min(last + 1, dimensions[axis]?.positions ?? 0)
      if (axis !== along && first < end) positions.removeSlices(axis, first, end)
    }
    const counts = positions.countAlong()
    const names = dimensions.map(({ name }) => name)
    const { lastWritten, gaps, patterns, isCut } = findGaps(counts, names, along)
    const steps = counts[along] ?? null
    return { ...withoutGaps(chunks), outside, last_written: lastWritten, gaps, patterns, isCut, counts, steps }
  }

  /** Describes what was found about an array in the form of the contract. */
  #describe(path: string, dimensions: readonly ChunkedDimension[], along: number | null, found: Found): FoundGaps {
    const { counts, steps, isCut, isLater, chunks, reason, outside, last_written, gaps, patterns } = found
    const hasProfile = this.#asked.along === undefined && chunks !== null
    const array: ArrayGaps = {
      path,
      along: along === null ? null : (dimensions[along]?.name ?? null),
      chunks,
      reason,
      outside,
      last_written,
      gaps,
      patterns,
      dimensions: dimensions.map(({ name, positions, size }, axis) => ({
        name,
        positions,
        size,
        profile: hasProfile ? binCounts(positions, counts?.[axis]) : null,
      })),
    }
    return { array, steps, isCut, isLater }
  }
}

function unknown(reason: UnknownGapsReason): Found {
  return { ...withoutGaps(null), reason }
}

function withoutGaps(chunks: WrittenChunks | null): Found {
  return {
    chunks,
    reason: null,
    outside: 0,
    last_written: null,
    gaps: [],
    patterns: [],
    counts: null,
    steps: null,
    isCut: false,
    isLater: false,
  }
}
