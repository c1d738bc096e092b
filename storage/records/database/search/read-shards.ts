// What a search reads. Each statement names the shards or the datasets that it reads, so the rows of others change
// neither its answer nor its time.
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { bytewise, isOneOf, isOneOfNumbers, listAsJson, matchesGlobs, toHex } from '../engine/engine.ts'
import { rowsOf } from '../engine/rows-of.ts'
import type { Database } from '../open-database.ts'
import { isSearched } from './index-heads.ts'
import type { SearchTables } from './search-tables.ts'

/** The repositories that are searched. */
export type SearchScope = {
  readonly org: string
  /** Names of repositories; null for all of the organisation. */
  readonly repos: readonly string[] | null
  /** Patterns of names of repositories: one must match. Empty for all. */
  readonly globs: readonly string[]
  /** Patterns of the branches that are indexed besides `main`. */
  readonly branches: readonly string[]
}

/** A shard that is searched. */
export type SearchedShard = {
  readonly id: number
  readonly repo: string
  readonly branch: string
  readonly snapshotId: string
  /** Number of its datasets. */
  readonly datasets: number
  readonly counts: Uint8Array
}

/** Lists the shards of the searched repositories, by repository and branch, at most `limit` of them. */
export async function listShards(
  db: Database,
  { org, repos, globs, branches }: SearchScope,
  limit: number,
): Promise<readonly SearchedShard[]> {
  const name = bytewise(db, sql`repositories.name`)
  return db
    .selectFrom('repositories')
    .innerJoin('search_shards', 'search_shards.repo_id', 'repositories.id')
    .innerJoin('heads', (join) =>
      join.onRef('heads.repo_id', '=', 'repositories.id').onRef('heads.branch', '=', 'search_shards.branch'),
    )
    .select(['search_shards.id', name.as('repo'), 'heads.branch', 'datasets', 'counts'])
    .select(sql<string>`coalesce(nullif(heads.indexed_snapshot_id, ''), heads.snapshot_id)`.as('snapshotId'))
    .where('repositories.org', '=', org)
    .where(isSearched(db, branches))
    .$if(repos !== null, (query) => query.where(isOneOf(db, 'repositories.name', repos ?? [])))
    .$if(globs.length > 0, (query) => query.where(matchesGlobs(db, sql`repositories.name`, globs)))
    .orderBy(name)
    .orderBy('search_shards.branch')
    .orderBy('search_shards.id')
    .limit(limit)
    .execute()
}

/** Reads the extents of these shards, by their ids. */
export async function readExtents(db: Database, shards: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> {
  const rows = await db
    .selectFrom('search_shards')
    .select(['id', 'extents'])
    .where(isOneOfNumbers(db, sql`id`, shards))
    .execute()
  return new Map(rows.map(({ id, extents }) => [id, extents]))
}

/** Where the datasets of a shard have a term. */
export type Posting = SearchTables['search_words']

/** Reads the places of terms in these shards. */
export async function readPostings(
  db: Database,
  shards: readonly number[],
  terms: readonly string[],
): Promise<readonly Posting[]> {
  return readAsOneRow(db, sql`${isOneOfNumbers(db, sql`shard`, shards)} and ${isOneOf(db, 'term', terms)}`)
}

/** Reads the places of all terms in these shards that begin with a text. */
export async function readCompletions(
  db: Database,
  shards: readonly number[],
  beginning: string,
): Promise<readonly Posting[]> {
  return readAsOneRow(db, isCompletion(db, shards, beginning))
}

/** Reads thousands of rows as one: creating a row takes longer than finding it. */
async function readAsOneRow(db: Database, condition: RawBuilder<SqlBool>): Promise<readonly Posting[]> {
  const list = (column: string) => sql<string | null>`string_agg(cast(${sql.raw(column)} as text), ' ')`
  const row = await db
    .selectFrom('search_words')
    .select([
      list('shard').as('shards'),
      listAsJson(db, sql`term`).as('terms'),
      list('length(places)').as('lengths'),
      sql<string | null>`string_agg(${toHex(db, sql`places`)}, '')`.as('places'),
    ])
    .where(condition)
    .executeTakeFirst()
  if (!row || row.shards === null || row.lengths === null) return []
  const terms = JSON.parse(row.terms) as readonly string[] // the column is not null
  const bytes = Buffer.from(row.places ?? '', 'hex')
  const lengths = row.lengths.split(' ')
  let end = 0
  return row.shards.split(' ').map((shard, index) => {
    const start = end
    end += Number(lengths[index])
    return { shard: Number(shard), term: terms[index] ?? '', places: bytes.subarray(start, end) }
  })
}

/** Lists the terms in these shards that begin with a text, at most `limit` of them. */
export async function listCompletions(
  db: Database,
  shards: readonly number[],
  beginning: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('search_words')
    .select('term')
    .distinct()
    .where(isCompletion(db, shards, beginning))
    .limit(limit)
    .execute()
  return rows.map(({ term }) => term)
}

function isCompletion(db: Database, shards: readonly number[], beginning: string): RawBuilder<SqlBool> {
  // No word of the index holds the last character.
  return sql`
    ${isOneOfNumbers(db, sql`shard`, shards)} and term >= ${beginning} and term <= ${`${beginning}\u{10ffff}`}`
}

/** A dataset of the index, by its shard and its number there. */
export type DatasetKey = { readonly shard: number; readonly number: number }

/** What results show of a dataset. */
export type ShownDataset = SearchTables['search_datasets']

/** Reads what results show of these datasets, in any order. */
export async function readDatasets(db: Database, keys: readonly DatasetKey[]): Promise<readonly ShownDataset[]> {
  const source = fromKeys(db, 'search_datasets', 'number', keys)
  return (await sql<ShownDataset>`select search_datasets.* ${source}`.execute(db)).rows
}

/** What facets count of a dataset itself. */
export type DatasetTexts = Pick<ShownDataset, 'institution' | 'keywords' | 'licence' | 'kind'>

/** Reads what facets count of these datasets, in any order. */
export async function readTexts(db: Database, keys: readonly DatasetKey[]): Promise<readonly DatasetTexts[]> {
  const source = fromKeys(db, 'search_datasets', 'number', keys)
  return (await sql<DatasetTexts>`select institution, keywords, licence, kind ${source}`.execute(db)).rows
}

/** The lines of some variables of a dataset. */
export type VariableChunk = SearchTables['search_variables']

/** Reads chunks of variables, in any order. */
export async function readVariables(
  db: Database,
  keys: readonly Pick<VariableChunk, 'shard' | 'chunk'>[],
): Promise<readonly VariableChunk[]> {
  const source = fromKeys(db, 'search_variables', 'chunk', keys)
  return (await sql<VariableChunk>`select search_variables.* ${source}`.execute(db)).rows
}

/** The rows of a table with these keys. SQLite keeps the order of a `cross join`, so it looks up each key. */
function fromKeys<Column extends string>(
  db: Database,
  table: 'search_datasets' | 'search_variables',
  column: Column,
  keys: readonly { readonly [Name in 'shard' | Column]: number }[],
): RawBuilder<unknown> {
  const wanted = rowsOf(
    db,
    keys.map((key) => ({ shard: key.shard, key: key[column] })),
    { shard: 'integer', key: 'integer' },
  )
  return sql`
    from ${wanted} cross join ${sql.table(table)}
    where ${sql.ref(`${table}.shard`)} = rows.shard and ${sql.ref(`${table}.${column}`)} = rows.key`
}
