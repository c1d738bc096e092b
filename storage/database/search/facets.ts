// Counts the values of the datasets that a search finds.
import type { Database } from '../open-database.ts'
import { type TermKind, termKinds } from './terms.ts'

/** The kinds whose values are counted. */
const facetKinds = ['variable', 'standard_name', 'units', 'dimension', 'dtype', 'institution', 'keyword'] as const

/** Ids of terms by the numbers of their kinds. */
export type StoredFacets = Readonly<Record<string, readonly number[]>>

/** Writes the facets of a dataset. */
export function writeFacets(listIds: (kind: TermKind) => readonly number[]): string {
  const facets = facetKinds.map((kind) => [termKinds[kind], listIds(kind)] as const)
  return JSON.stringify(Object.fromEntries(facets.filter(([, ids]) => ids.length > 0)))
}

/** Parses facets with commas between them. */
export function parseFacets(text: string): readonly StoredFacets[] {
  // Written by the function above.
  return JSON.parse(`[${text}]`) as readonly StoredFacets[]
}

/** A value with the number of datasets that have it. */
export type FacetCount = { readonly value: string; readonly count: number }

/** Counts the values of these kinds; returns the most frequent ones of each kind, at most `limit`. */
export async function countFacets(
  db: Database,
  facets: readonly StoredFacets[],
  kinds: readonly TermKind[],
  limit: number,
): Promise<ReadonlyMap<TermKind, readonly FacetCount[]>> {
  const frequent = kinds.map((kind) => [kind, countIds(facets, kind, limit)] as const)
  const values = await readValues(
    db,
    frequent.flatMap(([, counts]) => counts.map(([id]) => id)),
  )
  return new Map(
    frequent.map(([kind, counts]) => [
      kind,
      counts
        .map(([id, count]) => ({ value: values.get(id) ?? '', count }))
        .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
    ]),
  )
}

/** Counts the ids of a kind; returns the most frequent ones. */
function countIds(facets: readonly StoredFacets[], kind: TermKind, limit: number) {
  const counts = new Map<number, number>()
  for (const ids of facets) for (const id of ids[termKinds[kind]] ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  // There may be thousands, most of them rare: sorting their counts takes less time than sorting pairs.
  const least = Uint32Array.from(counts.values()).sort().at(-limit) ?? 0
  const frequent = [...counts].filter(([, count]) => count >= least)
  return frequent.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit)
}

async function readValues(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('search_terms').select(['id', 'value']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, value }) => [id, value]))
}
