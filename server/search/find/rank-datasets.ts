// Ranks the datasets of some shards by a search. All that match are ranked, in one walk over numbers.
import type { DatasetKey } from '@floe/storage/database'
import { compareUtf8 } from '@floe/storage/objects'
import { maxShardDatasets, type VariableCounts } from '../form/places.ts'
import { type ExtentConditions, ExtentReader } from '../form/match-extent.ts'
import type { PlacedShard } from './read-places.ts'
import { DatasetScorer } from '../match/score-dataset.ts'
import type { SearchCursor } from './search-cursor.ts'

/** A shard with all that its datasets are ranked by. */
export type RankedShard = Omit<PlacedShard, 'counts'> & {
  readonly counts: VariableCounts
  /** Undefined if the search does not compare them. */
  readonly extents: Uint8Array | undefined
}

/** A dataset that matches, by its shard and its number there. */
export type RankedDataset = { readonly shard: RankedShard; readonly number: number }

/** What results are sorted by: how well they match, or their last change. */
export type SortOrder = 'relevance' | 'changed'

/** Maximum number of shards of a search, so that a rank and a position fit into one number. */
export const maxShards = 16_384

const maxPositions = maxShards * maxShardDatasets

/** Above all ranks: scores of some hundreds times 256, and seconds since 1970. */
const maxRank = 2 ** 31 - 1

/** Larger numbers of variables rank alike. */
const maxCounted = 255

/** The datasets that match, best first. */
export class Ranking {
  readonly #shards: readonly RankedShard[]
  /** For each dataset, `maxRank` minus its rank, times `maxPositions`, plus its position. */
  readonly #sorted: Float64Array
  /** Number of datasets that match apart from the extent, but state none of the kind that is searched for. */
  readonly withoutExtent: number

  /**
   * @param shards by repository and branch, at most `maxShards`
   * @param retracted datasets that come after all others
   */
  constructor(
    shards: readonly RankedShard[],
    extent: ExtentConditions,
    order: SortOrder,
    retracted: readonly DatasetKey[],
  ) {
    const last = Map.groupBy(retracted, ({ shard }) => shard)
    this.#shards = shards
    const keys: number[] = []
    let withoutExtent = 0
    const scorer = new DatasetScorer()
    for (const [index, shard] of shards.entries()) {
      const retractedHere = new Set(last.get(shard.id)?.map(({ number }) => number))
      const extents = shard.extents && new ExtentReader(shard.extents)
      for (let number = 0; number < shard.counts.length; number++) {
        const score = scorer.score(shard, number)
        if (score === undefined) continue
        const match = extents?.match(number, extent) ?? 'matches'
        if (match === 'unstated') withoutExtent++
        if (match !== 'matches') continue
        const rank =
          order === 'changed'
            ? // Clocks of writers can be wrong by decades.
              Math.min(Math.floor((extents?.readChange(number) ?? 0) / 1_000), maxRank)
            : score * (maxCounted + 1) + maxCounted - Math.min(shard.counts.countAll(number), maxCounted)
        // Only retracted datasets have rank 0.
        const place = retractedHere.has(number) ? 0 : Math.max(rank, 1)
        keys.push((maxRank - place) * maxPositions + index * maxShardDatasets + number)
      }
    }
    this.#sorted = Float64Array.from(keys).sort()
    this.withoutExtent = withoutExtent
  }

  get total(): number {
    return this.#sorted.length
  }

  /** Returns the datasets from one index of the order to another. */
  slice(start: number, end: number): readonly RankedDataset[] {
    return [...this.#sorted.subarray(start, end)].flatMap((key) => {
      const position = key % maxPositions
      const shard = this.#shards[Math.floor(position / maxShardDatasets)]
      return shard ? [{ shard, number: position % maxShardDatasets }] : []
    })
  }

  /** Makes the cursor of the page that begins after a dataset of the order. */
  makeCursor(index: number): SearchCursor | null {
    const key = this.#sorted[index]
    const [dataset] = this.slice(index, index + 1)
    if (key === undefined || dataset === undefined) return null
    const { repo, branch } = dataset.shard
    const first = this.#shards.findIndex((shard) => shard.repo === repo && shard.branch === branch)
    const ordinal = (key % maxPositions) - first * maxShardDatasets
    return { rank: maxRank - Math.floor(key / maxPositions), repo, branch, ordinal }
  }

  /** Finds the index of the first dataset after a cursor. */
  findAfter({ rank, repo, branch, ordinal }: SearchCursor): number {
    const compare = (shard: RankedShard) => compareUtf8(shard.repo, repo) || compareUtf8(shard.branch, branch)
    const first = this.#shards.findIndex((shard) => compare(shard) >= 0)
    const next = this.#shards.findIndex((shard) => compare(shard) > 0)
    const [start, end] = [first, next].map((index) => (index < 0 ? this.#shards.length : index) * maxShardDatasets)
    const position = Math.min((start ?? 0) + ordinal + 1, end ?? 0)
    const key = (maxRank - rank) * maxPositions + position
    const index = this.#sorted.findIndex((other) => other >= key)
    return index < 0 ? this.total : index
  }
}
