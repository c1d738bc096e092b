// An index of made-up datasets, as the indexer would write it.
import {
  type Database,
  findHeadToIndex,
  finishIndexing,
  leaseHead,
  replaceShard,
  type SearchScope,
} from '@floe/storage/database'
import { JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import { findDatasets } from '../../../../server/search/find/find-datasets.ts'
import { parseSearch } from '../../../../server/search/parse-search.ts'
import type { SearchQuery } from '../../../../server/search/page/search-query.ts'
import { describeDataset, type DescribedDataset } from '../../../../server/search/describe/describe-dataset.ts'
import { maxShardDatasets } from '../../../../server/search/form/places.ts'
import { readShardRows, ShardWriter } from '../../../../server/search/describe/write-shard.ts'
import { float32, makeInteger } from '../../../../server/xarray/data-types.ts'
import { moveHead } from '../../../storage/records/database/recorded.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'

/** A dataset of the corpus. Variables are named, with their attributes. */
export type MadeUpDataset = {
  readonly path: string
  readonly attributes?: Readonly<Record<string, string | readonly (number | string)[]>>
  readonly variables?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Names of variables that are coordinates, and of those that are bytes. */
  readonly coordinates?: readonly string[]
  readonly bytes?: readonly string[]
  readonly sizes?: Readonly<Record<string, bigint>>
  /** When it was last changed, in milliseconds since 1970. */
  readonly changedAt?: number
}

/** Indexes made-up datasets of a repository. */
export function indexRepository(
  db: Database,
  org: string,
  repo: string,
  datasets: readonly MadeUpDataset[],
): Promise<void> {
  const described = datasets.map((dataset) => describeMadeUp(repo, dataset))
  return indexDescribed(db, org, repo, described, (index) => datasets[index]?.changedAt ?? 0)
}

/** Indexes described datasets of a repository. `changedAt` returns when the dataset with an index was last changed. */
export async function indexDescribed(
  db: Database,
  org: string,
  repo: string,
  datasets: readonly DescribedDataset[],
  changedAt: (index: number) => number = () => 0,
): Promise<void> {
  const now = new Date(1_000)
  const repoId = await rememberRepository(db, org, repo, now)
  await moveHead(db, repoId, ['A'], now)
  const due = await findHeadToIndex(db, { branches: [], replica: 'a', dueBy: now, afterOrg: '', busyOrgs: [] })
  if (due === undefined) throw new TypeError('no head is due')
  const head = await leaseHead(db, due, 'a')
  for (let start = 0; start < datasets.length; start += maxShardDatasets) {
    const shard = new ShardWriter()
    for (const [index, dataset] of datasets.slice(start, start + maxShardDatasets).entries())
      shard.add(dataset, { fingerprint: 'x', changedAt: changedAt(start + index), changedMessage: 'Change' })
    await replaceShard(db, head, { shard: null, written: readShardRows(shard.write()) })
  }
  await finishIndexing(db, head, { omitted: 0, form: 1, dueAt: now })
}

/** Describes a dataset as the index has it. */
export function describeMadeUp(
  repo: string,
  { path, attributes = {}, variables = {}, coordinates = [], bytes = [], sizes = {} }: MadeUpDataset,
) {
  const decoded = {
    dimensions: new Map(Object.entries(sizes)),
    variables: Object.entries(variables).map(([name, ofVariable]) => ({
      name,
      type: bytes.includes(name) ? makeInteger('u', 1) : float32,
      dimensions: Object.keys(sizes),
      shape: [],
      attributes: toJson(ofVariable),
      encoding: new Map(),
      storedItemBytes: 4,
      isCoordinate: coordinates.includes(name),
      isIndexed: false,
    })),
    attributes: toJson(attributes),
  }
  return describeDataset({ repo, path, above: [] }, decoded)
}

function toJson(attributes: Readonly<Record<string, string | readonly (number | string)[]>>): JsonObject {
  const toValue = (value: string | readonly (number | string)[]): JsonValue =>
    typeof value === 'string'
      ? value
      : value.map((one) => (typeof one === 'string' ? one : new JsonNumber(String(one))))
  return new Map(Object.entries(attributes).map(([name, value]) => [name, toValue(value)]))
}

/** Searches in the repositories of `acme` that a caller may read. */
export async function search(
  db: Database,
  query: SearchQuery,
  { repos = null, org = 'acme' }: Partial<Pick<SearchScope, 'repos' | 'org'>> = {},
) {
  const parsed = parseSearch(query, { org, repos, branches: [] })
  const address = (repo: string, branch: string, group: string) => `/${repo}/${branch}/${group}`
  return findDatasets(db, parsed, { address, now: 0, cancellation: { throwIfAborted: () => {} } })
}
