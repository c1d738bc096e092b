// Finds datasets in the index.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { bytewise, hasTerm, isOneOf, listCandidates, matchesGlobs } from '../engine.ts'
import type { Database } from '../open-database.ts'
import { findTerms, type TermKind, type WantedTerm } from './terms.ts'

/** What is searched for. All conditions must hold. */
export type Search = {
  readonly org: string
  /** The repositories that the caller may read; null for all of the organisation. */
  readonly repos: readonly string[] | null
  /** Patterns of names of repositories, any of which must match. Empty for all. */
  readonly globs: readonly string[]
  /** Words, in lower case. The last one may be a beginning, which ranks only where it is a whole word. */
  readonly words: readonly { readonly value: string; readonly isBeginning: boolean }[]
  /** Words with single spaces between them, which must follow each other in one text. */
  readonly phrases: readonly string[]
  /** Values, any of which the dataset must have, for each kind. */
  readonly values: readonly { readonly kind: TermKind; readonly values: readonly string[] }[]
  /** West, south, east, north in degrees, with west not above east. */
  readonly bbox: readonly [number, number, number, number] | null
  /** Milliseconds since 1970; null for an open end. */
  readonly time: { readonly start: number | null; readonly end: number | null } | null
}

/** The place of a dataset in the order of results. */
export type SearchPlace = {
  readonly score: number
  readonly repo: string
  readonly branch: string
  readonly path: string
}

export type FoundRow = SearchPlace & {
  readonly snapshotId: string
  readonly content: string
  readonly west: number | null
  readonly south: number | null
  readonly east: number | null
  readonly north: number | null
  readonly startsAt: number | null
  readonly endsAt: number | null
}

export type SearchOptions = {
  /** Return what comes after this place; null for the first page. */
  readonly after: SearchPlace | null
  readonly limit: number
  /** Maximum number of datasets that are ranked and counted. */
  readonly maxRanked: number
  /** Number of datasets whose facets are returned: the first of all pages. */
  readonly facetDatasets: number
}

/** A page of datasets. */
export type FoundPage = {
  readonly rows: readonly FoundRow[]
  /** Counts all pages, up to `maxRanked` + 1. */
  readonly total: number
  /** Facets of the first datasets, for `countFacets`. */
  readonly facets: string
}

/** A search whose terms were looked up. Undefined when a term is in no dataset, so that nothing can match. */
export type PreparedSearch = {
  readonly search: Search
  /** The ids that each word or list of values stands for; a dataset must have one of each. */
  readonly required: readonly (readonly number[])[]
  /** The number of words that only names have, so that they are in a name of each dataset that matches. */
  readonly minScore: number
  /** The ids of the other words among names; of a beginning, only the name that is no longer. */
  readonly names: readonly number[]
}

export async function prepareSearch(db: Database, search: Search): Promise<PreparedSearch | undefined> {
  const { words, values } = search
  const wanted: WantedTerm[] = [
    ...words.flatMap((word) => [
      { ...word, kind: 'word' as const },
      { ...word, kind: 'name' as const },
      { ...word, kind: 'name' as const, isBeginning: false },
    ]),
    ...values.flatMap(({ kind, values }) => values.map((value) => ({ kind, value }))),
  ]
  const found = await findTerms(db, search.org, wanted)
  const ofWords = words.map((_, place) => found.slice(3 * place, 3 * place + 2).flat())
  const names = words.flatMap((_, place) => found[3 * place + 2] ?? [])
  let next = 3 * words.length
  const ofValues = values.map(({ values: { length } }) => found.slice(next, (next += length)).flat())
  const required = [...ofWords, ...ofValues]
  if (required.some(({ length }) => length === 0)) return undefined
  const certain = new Set(ofWords.flatMap((ids) => (ids.length === 1 ? ids : [])))
  const uncertain = names.filter((id) => !certain.has(id))
  return { search, required, minScore: names.length - uncertain.length, names: uncertain }
}

/** Reads a page of the datasets that match, their number, and the facets of the first ones, all from one list of matches. */
export async function searchDatasets(
  db: Database,
  prepared: PreparedSearch,
  { after, limit, maxRanked, facetDatasets }: SearchOptions,
): Promise<FoundPage> {
  // The last row, which alone has a total, has no columns of `FoundRow`.
  type Row = FoundRow & { readonly total: number | null; readonly facets: string | null }
  const answer = sql<Row>`(
    with ranked as materialized (${selectRanked(db, prepared, maxRanked)}),
    page as (select * from ranked where ${isAfter(after)} order by ${order} limit cast(${limit} as integer)),
    first as (select id from ranked order by ${order} limit cast(${facetDatasets} as integer))
    select
      score, repo, page.branch as branch, page.path as path,
      coalesce(nullif(heads.indexed_snapshot_id, ''), heads.snapshot_id) as "snapshotId",
      content, west, south, east, north, starts_at as "startsAt", ends_at as "endsAt", null as total, null as facets
    from page
    join search_datasets on search_datasets.id = page.id
    join search_contents on search_contents.dataset_id = page.id
    join heads on heads.repo_id = search_datasets.repo_id and heads.branch = search_datasets.branch
    union all
    select
      null, null, null, null, null, null, null, null, null, null, null, null, (select count(*) from ranked),
      (select string_agg(facets, '') from first join search_facets on dataset_id = id)
    order by score desc, repo, branch, path
  )`
  // A `select` of Kysely's, because SQLite reads those while the index is being written.
  const found = await db.selectFrom(answer.as('answer')).selectAll().execute()
  const summary = found.find((row) => row.total !== null)
  return { rows: found.filter((row) => row.total === null), total: summary?.total ?? 0, facets: summary?.facets ?? '' }
}

/** Counts the datasets that match but for the extent, and state no extent of the kind that is asked for. */
export async function countWithoutExtent(db: Database, prepared: PreparedSearch, maxCounted: number): Promise<number> {
  const { bbox, time } = prepared.search
  const missing = [...(bbox ? [sql`west is null`] : []), ...(time ? [sql`starts_at is null and ends_at is null`] : [])]
  const anywhere = { ...prepared, names: [], search: { ...prepared.search, bbox: null, time: null } }
  const found = sql<object>`(${selectRanked(db, anywhere, maxCounted, sql`(${sql.join(missing, sql` or `)})`)})`
  const query = db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('count'))
  return (await query.executeTakeFirstOrThrow()).count
}

const order = sql`score desc, repo, branch, path`

function isAfter(place: SearchPlace | null): RawBuilder<unknown> {
  if (place === null) return sql`true`
  const score = sql`cast(${place.score} as integer)`
  return sql`(score < ${score} or (score = ${score} and (repo, branch, path) > (${place.repo}, ${place.branch}, ${place.path})))`
}

/** Selects the datasets that match, at most `limit` + 1 of them, with the number of words that are in a name as their score. */
function selectRanked(
  db: Database,
  { search, required, minScore, names }: PreparedSearch,
  limit: number,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const { org, repos, globs, phrases, bbox, time } = search
  const candidates = listCandidates(db, required)
  const repo = sql`repositories.name`
  const conditions = [
    sql`repositories.org = ${org}`,
    candidates.where,
    condition,
    ...(repos === null ? [] : [isOneOf(db, 'repositories.name', repos)]),
    ...(globs.length === 0 ? [] : [matchesGlobs(db, repo, globs)]),
    ...phrases.map((phrase) => hasPhrase(phrase)),
    ...(bbox === null ? [] : [overlapsBox(bbox)]),
    ...(time === null ? [] : [overlapsTime(time)]),
  ]
  const inNames = names.map((id) => sql`case when ${hasTerm(db, [id])} then 1 else 0 end`)
  const score = sql.join([sql`cast(${minScore} as integer)`, ...inNames], sql` + `)
  return sql`
    select
      search_datasets.id as id, ${bytewise(db, repo)} as repo, search_datasets.branch as branch,
      search_datasets.path as path, ${score} as score
    from ${candidates.from}
    join repositories on repositories.id = search_datasets.repo_id
    where ${sql.join(conditions, sql` and `)}
    limit cast(${limit + 1} as integer)`
}

/** Phrases hold letters, digits and spaces alone, so nothing in them is a wildcard. */
function hasPhrase(phrase: string): RawBuilder<SqlBool> {
  return sql`exists (
    select 1 from search_texts
    where search_texts.dataset_id = search_datasets.id and search_texts.words like ${`% ${phrase} %`}
  )`
}

/** Boxes are compared at all three places where they can meet: longitudes are from -180 or from 0, and boxes cross the antimeridian. */
function overlapsBox([west, south, east, north]: NonNullable<Search['bbox']>): RawBuilder<SqlBool> {
  const asNumber = (value: number) => sql`cast(${value} as double precision)`
  const meets = [-360, 0, 360].map(
    (turn) =>
      sql`(search_datasets.west <= ${asNumber(east + turn)} and search_datasets.east >= ${asNumber(west + turn)})`,
  )
  return sql`(
    search_datasets.south <= ${asNumber(north)} and search_datasets.north >= ${asNumber(south)}
    and (${sql.join(meets, sql` or `)})
  )`
}

/** An end that a dataset does not state is open, if it states the other. */
function overlapsTime({ start, end }: NonNullable<Search['time']>): RawBuilder<SqlBool> {
  const conditions = [
    sql`(search_datasets.starts_at is not null or search_datasets.ends_at is not null)`,
    ...(end === null
      ? []
      : [sql`(search_datasets.starts_at is null or search_datasets.starts_at <= cast(${end} as bigint))`]),
    ...(start === null
      ? []
      : [sql`(search_datasets.ends_at is null or search_datasets.ends_at >= cast(${start} as bigint))`]),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}
