// The index of search. A search reads only rows of shards that its caller may read, so nothing else changes its answer
// or its time.
import type { Generated } from 'kysely'

export type SearchTables = {
  search_shards: SearchShardsTable
  search_words: SearchWordsTable
  search_datasets: SearchDatasetsTable
  search_variables: SearchVariablesTable
}

/** A shard: up to 256 datasets of one branch, numbered from 0 in the order of their paths. */
type SearchShardsTable = {
  id: Generated<number>
  repo_id: string
  branch: string
  /** Number of its datasets. */
  datasets: number
  /** Length of its rows, roughly, in UTF-16 code units. */
  length: number
  /** The numbers of variables and of data variables of each dataset, as `reading/search/places.ts` writes numbers. */
  counts: Uint8Array
  /**
   * For each dataset seven 64-bit floating-point numbers, the lowest byte first, NaN where there is none: west, south,
   * east, north in degrees, with east not less than west; start, end, and the last change in milliseconds since 1970.
   */
  extents: Uint8Array
} & ShardBounds

/** Times that stand for an open end in {@link ShardBounds}: the first and the last that a date can have. */
export const timeLimits = { first: -8.64e15, last: 8.64e15 } as const

/**
 * The box and the period that hold those of all datasets of a shard, in the units of its extents. Null where no dataset
 * states any.
 */
export type ShardBounds = {
  readonly [Bound in 'west' | 'south' | 'east' | 'north' | 'starts_at' | 'ends_at']: number | null
}

/** Where the datasets of a shard have a term. */
type SearchWordsTable = {
  shard: number
  /** A letter for the kind, and the word or value. */
  term: string
  places: Uint8Array
}

/** What results show of a dataset. */
type SearchDatasetsTable = {
  shard: number
  number: number
  /** Path of the group. */
  path: string
  /** Changes when the documents of the group, or of the groups above it, do. */
  fingerprint: string
  /** Time and message of the commit that changed it last, as far as the index has seen. */
  changed_at: number
  changed_message: string
  institution: string | null
  keywords: string | null
  licence: string | null
  kind: string | null
  title: string | null
  summary: string | null
  refusal: string | null
  /** JSON of pairs: name, and size in digits. */
  dimensions: string
  variable_count: number
}

/** What results show of the variables of a dataset, 32 in a row. */
type SearchVariablesTable = {
  shard: number
  /** The number of the dataset times 8,192, plus the number of the row in the dataset. */
  chunk: number
  lines: string
}
