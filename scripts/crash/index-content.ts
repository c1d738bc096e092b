import { type Database, prepareSearch, searchDatasets, type TermKind, termKinds } from '@floe/storage/database'
import { sql } from 'kysely'

/** Tables with one row for each dataset. PostgreSQL lacks the last one. */
const tables = ['search_datasets', 'search_contents', 'search_facets', 'search_texts', 'search_postings']

/** Reads what the index says, as lines: what it holds of each dataset, the datasets that each term finds, and the sizes of its tables. */
export async function readIndex(db: Database): Promise<readonly string[]> {
  const datasets = await db
    .selectFrom('search_datasets')
    .innerJoin('search_contents', 'search_contents.dataset_id', 'search_datasets.id')
    .innerJoin('search_texts', 'search_texts.dataset_id', 'search_datasets.id')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['name', 'path', 'fingerprint', 'content', 'words', 'west', 'south', 'east', 'north'])
    .select(['starts_at', 'ends_at'])
    .execute()
  const lines = datasets.map((dataset) => JSON.stringify(Object.values(dataset)))
  // The keys of `termKinds` are exactly the kinds.
  const kinds = new Map<number, TermKind>(Object.entries(termKinds).map(([kind, number]) => [number, kind as TermKind]))
  for (const { kind: number, value } of await db.selectFrom('search_terms').select(['kind', 'value']).execute()) {
    const kind = kinds.get(number)
    if (kind !== undefined)
      lines.push(...(await findPlaces(db, kind, value)).map((place) => `${kind} ${value}: ${place}`))
  }
  const existing = new Set((await db.introspection.getTables()).map(({ name }) => name))
  for (const table of tables.filter((name) => existing.has(name))) {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db)
    lines.push(`${table}: ${rows[0]?.rows} rows`)
  }
  return lines
}

async function findPlaces(db: Database, kind: TermKind, value: string): Promise<readonly string[]> {
  const search = { org: 'acme', repos: null, globs: [], words: [], phrases: [], bbox: null, time: null }
  const prepared = await prepareSearch(db, { ...search, values: [{ kind, values: [value] }] })
  if (prepared === undefined) return []
  const options = { after: null, limit: 10_000, maxRanked: 10_000, facetDatasets: 0 }
  const { rows } = await searchDatasets(db, prepared, options)
  return rows.map(({ repo, path }) => `${repo} ${path}`)
}
