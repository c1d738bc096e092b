// Writes the datasets of the index.
import { sql } from 'kysely'
import { insertPostings, isOneOf, listRecords, termsColumn, writeIds } from '../engine.ts'
import type { Database } from '../open-database.ts'
import { writeFacets } from './facets.ts'
import { extendLease, type HeadToIndex } from './index-heads.ts'
import { ensureTerms, type Term, type TermKind, termKinds } from './terms.ts'

/** A dataset as the index has it. Texts hold neither NUL nor lone surrogates, which PostgreSQL refuses. */
export type IndexedDataset = {
  /** Path of the group. */
  readonly path: string
  /** Changes when the documents of the group do. */
  readonly fingerprint: string
  /** Values by kind, without duplicates. */
  readonly terms: Readonly<Partial<Record<TermKind, readonly string[]>>>
  /** Texts in which phrases are searched: lines of words with single spaces around each. */
  readonly words: string
  /** JSON of what results show. */
  readonly content: string
  /** West, south, east, north in degrees, with west not above east. */
  readonly bbox: readonly [number, number, number, number] | null
  /** Milliseconds since 1970. */
  readonly startsAt: number | null
  readonly endsAt: number | null
}

/** Reads the fingerprints of the indexed datasets of a head, by path: of all of them, or of those with these paths. */
export async function readFingerprints(
  db: Database,
  { repoId, branch }: Pick<HeadToIndex, 'repoId' | 'branch'>,
  paths?: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('search_datasets')
    .select(['path', 'fingerprint'])
    .where('repo_id', '=', repoId)
    .where('branch', '=', branch)
    .$if(paths !== undefined, (query) => query.where(isOneOf(db, 'path', paths ?? [])))
    .execute()
  return new Map(rows.map(({ path, fingerprint }) => [path, fingerprint]))
}

/** What changes in the index of a head. */
export type IndexChanges = { readonly changed: readonly IndexedDataset[]; readonly removed: readonly string[] }

/**
 * Replaces and removes datasets of a head in one transaction, and extends the lease.
 *
 * @throws IndexLeaseLostError
 */
export async function writeDatasets(
  db: Database,
  head: HeadToIndex,
  { changed, removed }: IndexChanges,
  leaseEnd: number,
): Promise<HeadToIndex> {
  const paths = [...removed, ...changed.map(({ path }) => path)]
  return db.transaction().execute(async (tx) => {
    const extended = await extendLease(tx, head, leaseEnd)
    // From here on the index has parts of two snapshots. The head may move back to the indexed one, which must then be indexed again.
    await tx
      .updateTable('heads')
      .set({ indexed_snapshot_id: '' })
      .where('repo_id', '=', head.repoId)
      .where('branch', '=', head.branch)
      .execute()
    // Before terms are looked up: this also makes `deleteUnusedTerms` wait.
    await tx
      .deleteFrom('search_datasets')
      .where('repo_id', '=', head.repoId)
      .where('branch', '=', head.branch)
      .where(isOneOf(tx, 'path', paths))
      .execute()
    if (changed.length > 0) await insertDatasets(tx, head, changed)
    return extended
  })
}

async function insertDatasets(
  tx: Database,
  { org, repoId, branch }: HeadToIndex,
  datasets: readonly IndexedDataset[],
): Promise<void> {
  const idsOf = await identifyTerms(tx, org, datasets)
  const records = datasets.map(({ path, fingerprint, bbox, startsAt, endsAt, terms }) => {
    const [west, south, east, north] = bbox ?? []
    const ids = listKinds(terms).flatMap((kind) => idsOf(kind, terms[kind]))
    return { path, fingerprint, west, south, east, north, startsAt, endsAt, terms: writeIds(tx, ids) }
  })
  const terms = termsColumn(tx)
  const { rows } = await sql<{ readonly id: number; readonly path: string }>`
    insert into search_datasets (repo_id, branch, path, fingerprint, west, south, east, north, starts_at, ends_at${terms.name})
    select
      ${repoId}, ${branch}, item.value ->> 'path', item.value ->> 'fingerprint',
      cast(item.value ->> 'west' as double precision), cast(item.value ->> 'south' as double precision),
      cast(item.value ->> 'east' as double precision), cast(item.value ->> 'north' as double precision),
      cast(item.value ->> 'startsAt' as bigint), cast(item.value ->> 'endsAt' as bigint)${terms.value}
    from ${listRecords(tx, records)}
    where true
    returning id, path`.execute(tx)
  const byPath = new Map(rows.map(({ id, path }) => [path, id]))
  await insertPostings(
    tx,
    records.map(({ path, terms }) => ({ id: byPath.get(path), terms })),
  )
  const insert = (table: string, column: string, read: (dataset: IndexedDataset) => string) => {
    const texts = datasets.map((dataset) => ({ id: byPath.get(dataset.path), text: read(dataset) }))
    return sql`
      insert into ${sql.table(table)} (dataset_id, ${sql.ref(column)})
      select cast(item.value ->> 'id' as integer), item.value ->> 'text' from ${listRecords(tx, texts)}`.execute(tx)
  }
  await insert('search_facets', 'facets', ({ terms }) => writeFacets((kind) => idsOf(kind, terms[kind])))
  await insert('search_texts', 'words', ({ words }) => words)
  await insert('search_contents', 'content', ({ content }) => content)
}

/** Returns a function that finds the ids of values of a kind. */
async function identifyTerms(tx: Database, org: string, datasets: readonly IndexedDataset[]) {
  const values = new Map<TermKind, Set<string>>()
  for (const { terms } of datasets) {
    for (const kind of listKinds(terms)) {
      const known = values.get(kind) ?? new Set()
      values.set(kind, known)
      for (const value of terms[kind] ?? []) known.add(value)
    }
  }
  const all: Term[] = [...values].flatMap(([kind, ofKind]) => [...ofKind].map((value) => ({ kind, value })))
  const ids = await ensureTerms(tx, org, all)
  const byTerm = new Map(all.map(({ kind, value }, place) => [`${kind} ${value}`, ids[place]]))
  return (kind: TermKind, values: readonly string[] = []) =>
    values.map((value) => byTerm.get(`${kind} ${value}`)).filter((id) => id !== undefined)
}

function listKinds(terms: IndexedDataset['terms']): readonly TermKind[] {
  // The keys of `termKinds` are exactly the kinds.
  return (Object.keys(termKinds) as TermKind[]).filter((kind) => terms[kind] !== undefined)
}

/** A repository, and whether the index holds it. `gone`: it was removed from the index, because it was not found. */
export type IndexedRepository = { readonly id: string; readonly isGone: boolean }

/** Lists the repositories of an organisation that were indexed, by name. */
export async function listIndexedRepositories(
  db: Database,
  org: string,
): Promise<ReadonlyMap<string, IndexedRepository>> {
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('heads', 'repo_id', 'repositories.id')
    .select(['repositories.id', 'name', 'index_is_gone'])
    .where('org', '=', org)
    .where('indexed_snapshot_id', '<>', '')
    .execute()
  return new Map(rows.map(({ id, name, index_is_gone }) => [name, { id, isGone: index_is_gone === 1 }]))
}

/** Removes repositories that are gone from the index. */
export async function removeFromIndex(db: Database, repoIds: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('search_datasets')
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
    .set({ index_is_gone: 0, indexed_snapshot_id: '', index_due_at: 0 })
    .where(isOneOf(db, 'repo_id', repoIds))
    .execute()
}
