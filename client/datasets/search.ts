import type { SearchAnswer } from '../generated/types.ts'

/** What to search for. All conditions must hold. Where a condition has several values, one is enough. */
export type SearchSelection = {
  /** Words that must all occur. The last one also stands for words that begin with it; quotes make a phrase. */
  readonly q?: string | undefined
  readonly variable?: OneOrMore | undefined
  readonly standardName?: OneOrMore | undefined
  readonly units?: OneOrMore | undefined
  readonly dimension?: OneOrMore | undefined
  readonly dtype?: OneOrMore | undefined
  readonly institution?: OneOrMore | undefined
  readonly keyword?: OneOrMore | undefined
  /** Identifiers of SPDX, or texts of licences; `no licence stated` finds datasets that state none. */
  readonly licence?: OneOrMore | undefined
  /** What the metadata say that the dataset is, such as `grid` or `image`. */
  readonly kind?: OneOrMore | undefined
  /** Attributes of the dataset, as `name=value`. */
  readonly attribute?: OneOrMore | undefined
  /** West, south, east, north in degrees. West may be greater than east. */
  readonly bbox?: readonly [west: number, south: number, east: number, north: number] | undefined
  /** Dates or instants of ISO 8601; a missing one leaves that end open. */
  readonly time?: { readonly start?: string | undefined; readonly end?: string | undefined } | undefined
  /** Only datasets that were changed at this time or later: a date or an instant of ISO 8601. */
  readonly changedSince?: string | undefined
  /** Only datasets that were last changed before this time. */
  readonly changedBefore?: string | undefined
  /** Names of repositories; `*` stands for any characters, `?` for one. */
  readonly repo?: OneOrMore | undefined
}

/** Which page of the results to read, and what to count. */
export type SearchPageSelection = SearchSelection & {
  /** Values of these are counted over the results. */
  readonly facets?: readonly (keyof SearchAnswer['facets'])[] | undefined
  /** What comes first. Default: `relevance`. */
  readonly sort?: 'relevance' | 'changed' | undefined
  /** Maximum number of results, 1 to 100. Default 20. */
  readonly limit?: number | undefined
  /** `next` of the previous page. Default: begin with the first result. */
  readonly before?: string | undefined
}

type OneOrMore = string | readonly string[]

/** Writes the query of a page. */
export function writeSearchQuery({
  standardName,
  bbox,
  time,
  changedSince,
  changedBefore,
  limit,
  ...others
}: SearchPageSelection) {
  return {
    ...others,
    standard_name: standardName,
    bbox: bbox?.join(','),
    time: time && `${time.start ?? '..'}/${time.end ?? '..'}`,
    changed_since: changedSince,
    changed_before: changedBefore,
    limit: limit?.toString(),
  }
}
