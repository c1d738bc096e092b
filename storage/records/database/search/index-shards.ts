// Writes the shards of the index. A shard is written as a whole, from one snapshot.
import { sql, type SqlBool } from 'kysely'
import { fromHex, isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { rowsOf, rowsOfJson } from '../engine/rows-of.ts'
import { beginChange, type LeasedHead } from './index-heads.ts'
import { fromScratch } from './reset-index.ts'
import type { SearchTables, ShardBounds } from './search-tables.ts'
import { transact } from '../transact.ts'

/** What a row of `search_datasets` says, without its shard. */
export type DatasetRow = Omit<SearchTables['search_datasets'], 'shard'>

/** What the row of a shard says. Bytes are hexadecimal digits. */
export type ShardSummary = {
  readonly datasets: number
  readonly length: number
  readonly counts: string
  readonly extents: string
  readonly bounds: ShardBounds
}

/** A shard to be written, with the rows of its tables as JSON. Texts hold neither NUL nor lone surrogates. */
export type WrittenShard = {
  readonly summary: ShardSummary
  /** JSON of {@link DatasetRow}s. */
  readonly datasets: string
  /** JSON of `{ term, places }`, where places are hexadecimal digits. */
  readonly words: string
  /** JSON of `{ chunk, lines }`. */
  readonly variables: string
}

/** A dataset of the index, and its shard. */
export type ShardDataset = { readonly shard: number; readonly path: string; readonly fingerprint: string }

type Branch = Pick<LeasedHead, 'repoId' | 'branch'>

/** Lists the datasets that the index has of a head, in the order of their shards and paths. */
export async function listShardDatasets(db: Database, head: Branch): Promise<readonly ShardDataset[]> {
  return selectDatasets(db, head).select(['shard', 'path', 'fingerprint']).orderBy('shard').orderBy('number').execute()
}

/** Lists the shards of a head with a dataset at one of these paths, or below one of `parents`. */
export async function listShardsAt(
  db: Database,
  head: Branch,
  { paths, parents }: { readonly paths: readonly string[]; readonly parents: readonly string[] },
): Promise<readonly number[]> {
  // All paths below `a` lie between `a/` and `a0`, because 0 follows the slash.
  const records = [
    ...paths.map((path) => ({ first: path, last: path })),
    ...parents.map((path) => ({ first: `${path}/`, last: `${path}0` })),
  ]
  const isAtPath = sql<SqlBool>`exists (
    select 1 from ${rowsOf(db, records, { first: 'text', last: 'text' })}
    where search_datasets.path >= rows.first and search_datasets.path <= rows.last
  )`
  const rows = await selectDatasets(db, head).select('shard').distinct().where(isAtPath).execute()
  return rows.map(({ shard }) => shard)
}

function selectDatasets(db: Database, { repoId, branch }: Branch) {
  return db
    .selectFrom('search_shards')
    .innerJoin('search_datasets', 'shard', 'search_shards.id')
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
}

/** A dataset of a shard with its last change. */
export type ChangedDataset = Omit<ShardDataset, 'shard'> & {
  readonly changedAt: number
  readonly changedMessage: string
}

/** Reads the datasets of a shard in the order of their paths. */
export async function readShard(db: Database, shard: number): Promise<readonly ChangedDataset[]> {
  return db
    .selectFrom('search_datasets')
    .select(['path', 'fingerprint', 'changed_at as changedAt', 'changed_message as changedMessage'])
    .where('shard', '=', shard)
    .orderBy('number')
    .execute()
}

/** A branch of a repository at a snapshot. */
type IndexedSnapshot = {
  readonly org: string
  readonly repo: string
  readonly branch: string
  readonly snapshotId: string
}

/** Lists the last changes of datasets at these paths, if exactly this snapshot is indexed. */
export async function listLastChanges(
  db: Database,
  { org, repo, branch, snapshotId }: IndexedSnapshot,
  paths: readonly string[],
): Promise<readonly Omit<ChangedDataset, 'fingerprint'>[]> {
  return db
    .selectFrom('repositories')
    .innerJoin('heads', 'heads.repo_id', 'repositories.id')
    .innerJoin('search_shards', (join) =>
      join.onRef('search_shards.repo_id', '=', 'heads.repo_id').onRef('search_shards.branch', '=', 'heads.branch'),
    )
    .innerJoin('search_datasets', 'shard', 'search_shards.id')
    .select(['path', 'changed_at as changedAt', 'changed_message as changedMessage'])
    .where('repositories.org', '=', org)
    .where('name', '=', repo)
    .where('heads.branch', '=', branch)
    .where('indexed_snapshot_id', '=', snapshotId)
    .where(isOneOf(db, 'path', paths))
    .execute()
}

/** Reads the lengths of the shards of a head, by their ids in ascending order. */
export async function listShardLengths(db: Database, { repoId, branch }: Branch): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('search_shards')
    .select(['id', 'length'])
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, length }) => [id, length]))
}

/**
 * Writes a shard in one transaction.
 *
 * @param shard its id; null for a new one
 * @param written null to remove the shard
 * @throws IndexLeaseLostError
 */
export async function replaceShard(
  db: Database,
  head: LeasedHead,
  { shard, written }: { readonly shard: number | null; readonly written: WrittenShard | null },
): Promise<void> {
  await transact(db, async (tx) => {
    await beginChange(tx, head)
    if (shard !== null) await deleteRows(tx, shard)
    if (written !== null) await insertRows(tx, await writeSummary(tx, head, shard, written.summary), written)
    else if (shard !== null) await tx.deleteFrom('search_shards').where('id', '=', shard).execute()
  })
}

async function deleteRows(tx: Database, shard: number): Promise<void> {
  for (const table of ['search_words', 'search_datasets', 'search_variables'] as const)
    await tx.deleteFrom(table).where('shard', '=', shard).execute()
}

/** Writes the row of a shard, and returns its id. */
async function writeSummary(
  tx: Database,
  { repoId, branch }: Branch,
  shard: number | null,
  { datasets, length, counts, extents, bounds }: ShardSummary,
): Promise<number> {
  const bytes = { counts: fromHex(tx, sql`${counts}`), extents: fromHex(tx, sql`${extents}`) }
  const row = { datasets, length, ...bytes, ...bounds }
  if (shard !== null) {
    await tx.updateTable('search_shards').set(row).where('id', '=', shard).execute()
    return shard
  }
  const inserted = tx.insertInto('search_shards').values({ ...row, repo_id: repoId, branch })
  return (await inserted.returning('id').executeTakeFirstOrThrow()).id
}

const datasetColumns = {
  number: 'integer',
  path: 'text',
  fingerprint: 'text',
  changed_at: 'bigint',
  changed_message: 'text',
  institution: 'text',
  keywords: 'text',
  licence: 'text',
  kind: 'text',
  title: 'text',
  summary: 'text',
  refusal: 'text',
  dimensions: 'text',
  variable_count: 'integer',
} as const satisfies Record<keyof DatasetRow, string>

async function insertRows(tx: Database, shard: number, { datasets, words, variables }: WrittenShard): Promise<void> {
  const names = sql.join(Object.keys(datasetColumns).map((name) => sql.ref(name)))
  const values = sql.join(Object.keys(datasetColumns).map((name) => sql.ref(`rows.${name}`)))
  const id = sql`cast(${shard} as integer)`
  await sql`
    insert into search_datasets (shard, ${names})
    select ${id}, ${values} from ${rowsOfJson(tx, datasets, datasetColumns)}`.execute(tx)
  await sql`
    insert into search_words (shard, term, places)
    select ${id}, rows.term, ${fromHex(tx, sql`rows.places`)}
    from ${rowsOfJson(tx, words, { term: 'text', places: 'text' })}`.execute(tx)
  await sql`
    insert into search_variables (shard, chunk, lines)
    select ${id}, rows.chunk, rows.lines
    from ${rowsOfJson(tx, variables, { chunk: 'integer', lines: 'text' })}`.execute(tx)
}

/** A repository with recorded heads. `isGone`: it was removed from the index, because it was not found. */
export type IndexedRepository = { readonly id: string; readonly isGone: boolean }

/** Lists the repositories of an organisation that are or will be indexed, by name: all, or those with these names. */
export async function listIndexedRepositories(
  db: Database,
  org: string,
  names: readonly string[] | null,
): Promise<ReadonlyMap<string, IndexedRepository>> {
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('heads', 'repo_id', 'repositories.id')
    .select(['repositories.id', 'name', 'index_is_gone'])
    .where('repositories.org', '=', org)
    .$if(names !== null, (query) => query.where(isOneOf(db, 'name', names ?? [])))
    .execute()
  return new Map(rows.map(({ id, name, index_is_gone }) => [name, { id, isGone: index_is_gone === 1 }]))
}

/** Removes repositories that are gone from the index. */
export async function removeFromIndex(db: Database, repoIds: readonly string[]): Promise<void> {
  await transact(db, async (tx) => {
    await tx
      .deleteFrom('search_shards')
      .where(isOneOf(tx, 'repo_id', repoIds))
      .execute()
    await tx
      .updateTable('heads')
      .set({ index_is_gone: 1 })
      .where(isOneOf(tx, 'repo_id', repoIds))
      .execute()
  })
}

/** Has repositories indexed that were gone and are back. */
export async function returnToIndex(db: Database, repoIds: readonly string[]): Promise<void> {
  await db
    .updateTable('heads')
    .set({ ...fromScratch, index_is_gone: 0 })
    .where(isOneOf(db, 'repo_id', repoIds))
    .execute()
}
