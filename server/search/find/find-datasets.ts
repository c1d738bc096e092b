// Answers a search from the index. Runs in a search thread.
import type { FoundVariable } from '@floe/contract'
import { type SearchFacet, searchFacets, searchLimits } from '@floe/contract/constants'
import {
  type Database,
  listRetractedDatasets,
  listShards,
  readExtents,
  readDatasets,
  readIndexState,
  type SearchScope,
  type ShownDataset,
} from '@floe/storage/database'
import type { Cancellation } from '@floe/storage/json'
import { findRemarksAbout } from '../../remarks/find-remarks.ts'
import { selectRemarks } from '../../remarks/select-remarks.ts'
import { VariableCounts } from '../form/places.ts'
import { readLine } from '../form/variable-lines.ts'
import type { ExactDataset } from '../page/found-dataset.ts'
import type { ExactAnswer } from '../page/search-page.ts'
import { countFacets } from './count-facets.ts'
import { type ExtentConditions, ExtentReader } from '../form/match-extent.ts'
import { type SearchCursor, writeCursor } from './search-cursor.ts'
import { maxShards, type RankedDataset, type RankedShard, Ranking, type SortOrder } from './rank-datasets.ts'
import type { Conditions } from '../match/asked-terms.ts'
import { readPlaces } from './read-places.ts'
import { type ChosenVariables, readLines } from './read-variables.ts'
import { DatasetScorer } from '../match/score-dataset.ts'
import { listUnknownWords } from './suggest-words.ts'

/** What is searched for, and where. Plain data, so that a thread can receive it. */
export type Search = {
  readonly scope: SearchScope
  readonly conditions: Conditions
  readonly extent: ExtentConditions
  readonly order: SortOrder
  /** The page begins after this dataset; null for the first page. */
  readonly after: SearchCursor | null
  readonly limit: number
  readonly facets: readonly SearchFacet[]
}

type FindOptions = {
  readonly address: (repo: string, branch: string, group: string) => string
  /** In milliseconds since 1970. Notes have a time. */
  readonly now: number
  readonly cancellation: Cancellation
}

/** Maximum number of variables of a dataset whose values are counted, if they matched and if none did. */
const maxCounted = { matched: 64, unmatched: 16 } as const

/**
 * Finds a page of datasets. `address` returns the address of the page of a dataset. Throws what the cancellation
 * throws.
 */
export async function findDatasets(
  db: Database,
  { scope, conditions, extent, order, after, limit, facets }: Search,
  { address, now, cancellation }: FindOptions,
): Promise<ExactAnswer> {
  const listed = await listShards(db, scope, maxShards + 1)
  cancellation.throwIfAborted()
  const searched = listed.slice(0, maxShards)
  const placed = await readPlaces(db, searched, conditions)
  const comparesExtents = Object.values(extent).some((condition) => condition !== null) || order === 'changed'
  const extents = comparesExtents ? await readExtents(db, listIds(searched)) : undefined
  const shards = placed.map((shard) => ({
    ...shard,
    counts: new VariableCounts(shard.counts),
    extents: extents?.get(shard.id),
  }))
  cancellation.throwIfAborted()
  const retracted = await listRetractedDatasets(db, listIds(searched))
  const ranking = new Ranking(shards, extent, order, retracted)
  cancellation.throwIfAborted()
  const start = after === null ? 0 : ranking.findAfter(after)
  const end = Math.min(start + limit, ranking.total)
  const page = ranking.slice(start, end)
  const counted = facets.length > 0 ? ranking.slice(0, searchLimits.facetDatasets) : []
  const chosen = counted.map(chooseCounted)
  const hasExtent = extent.bbox !== null || extent.time !== null
  const last = end < ranking.total ? ranking.makeCursor(end - 1) : null
  const index = await readIndexState(db, scope)
  const results = await addRemarks(db, scope.org, await showDatasets(db, page, address), now)
  cancellation.throwIfAborted()
  return {
    results,
    facets: await countFacets(
      db,
      chosen,
      searchFacets.filter((facet) => facets.includes(facet)),
    ),
    total: ranking.total,
    total_is_exact: listed.length === searched.length,
    without_extent: hasExtent ? ranking.withoutExtent : null,
    unknown_words: ranking.total === 0 ? [...(await listUnknownWords(db, shards, conditions.words))] : [],
    next: last === null ? null : writeCursor(last),
    index: { ...index, oldest: index.oldest?.toISOString() ?? null },
  }
}

const scorer = new DatasetScorer()

/** Chooses the variables whose values are counted: those that matched, or else the first ones. */
function chooseCounted(dataset: RankedDataset): ChosenVariables {
  const matched = scorer.listMatched(dataset.shard, dataset.number)
  const indices = matched.length > 0 ? matched.slice(0, maxCounted.matched) : listFirst(maxCounted.unmatched)
  return { dataset, indices }
}

/** Chooses the variables that are shown: those that matched, best first, then the first others. */
function chooseShown(dataset: RankedDataset): ChosenVariables & { readonly matched: ReadonlySet<number> } {
  const matched = new Set(scorer.listMatched(dataset.shard, dataset.number).slice(0, searchLimits.variables))
  const indices = [...new Set([...matched, ...listFirst(searchLimits.variables)])]
  return { dataset, indices: indices.slice(0, searchLimits.variables), matched }
}

function listFirst(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function listIds(shards: readonly { readonly id: number }[]): readonly number[] {
  return [...new Set(shards.map(({ id }) => id))]
}

/** Adds to each dataset what is said of it at present. */
async function addRemarks(
  db: Database,
  org: string,
  datasets: readonly Omit<ExactDataset, 'remarks'>[],
  now: number,
): Promise<ExactDataset[]> {
  const toPlace = ({ repo, snapshot_id: snapshotId, branch: ref }: (typeof datasets)[number]) => ({
    repo,
    snapshotId,
    ref,
  })
  const find = await findRemarksAbout(db, org, datasets.map(toPlace), now)
  return datasets.map((dataset) => {
    const remarks = selectRemarks(find(toPlace(dataset)), dataset.group)
    return { ...dataset, remarks: remarks.slice(0, searchLimits.remarks) }
  })
}

async function showDatasets(
  db: Database,
  page: readonly RankedDataset[],
  address: (repo: string, branch: string, group: string) => string,
): Promise<Omit<ExactDataset, 'remarks'>[]> {
  const rows = await readDatasets(
    db,
    page.map(({ shard: { id }, number }) => ({ shard: id, number })),
  )
  const shown = new Map(rows.map((row) => [`${row.shard} ${row.number}`, row]))
  const chosen = page.map(chooseShown)
  const variables = await readLines(db, chosen)
  const extents = await readExtents(db, listIds(page.map(({ shard }) => shard)))
  return chosen.flatMap(({ dataset, matched }, position) => {
    const row = shown.get(`${dataset.shard.id} ${dataset.number}`)
    const extent = extents.get(dataset.shard.id)
    // The shard may have been replaced since it was ranked.
    if (row === undefined || extent === undefined) return []
    const lines = variables[position] ?? []
    return [
      showDataset(
        dataset.shard,
        row,
        new ExtentReader(extent).readExtent(dataset.number),
        lines.map(({ index, line }) => ({ ...readLine(line), matched: matched.has(index) })),
        address,
      ),
    ]
  })
}

function showDataset(
  { repo, branch, snapshotId }: RankedShard,
  row: ShownDataset,
  { box: [west, south, east, north], startsAt, endsAt }: ReturnType<ExtentReader['readExtent']>,
  variables: FoundVariable[],
  address: (repo: string, branch: string, group: string) => string,
): Omit<ExactDataset, 'remarks'> {
  return {
    repo,
    branch,
    snapshot_id: snapshotId,
    group: row.path,
    title: row.title,
    summary: row.summary,
    dimensions: readDimensions(row.dimensions),
    extent: {
      bbox: Number.isNaN(west)
        ? null
        : [west, south, east > 180 && west >= -180 && west <= 180 ? east - 360 : east, north],
      start: Number.isNaN(startsAt) ? null : new Date(startsAt).toISOString(),
      end: Number.isNaN(endsAt) ? null : new Date(endsAt).toISOString(),
    },
    kind: row.kind,
    variables,
    variable_count: row.variable_count,
    changed: { at: new Date(row.changed_at).toISOString(), message: row.changed_message },
    refusal: row.refusal,
    href: address(repo, branch, row.path),
  }
}

/** Reads what `ShardWriter` has written. */
function readDimensions(json: string): ExactDataset['dimensions'] {
  const pairs = JSON.parse(json) as readonly (readonly [name: string, size: string])[]
  return new Map(pairs.map(([name, size]) => [name, Number.isSafeInteger(Number(size)) ? Number(size) : BigInt(size)]))
}
