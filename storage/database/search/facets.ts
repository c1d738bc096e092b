// Counts the values of the datasets that a search finds.
import type { Database } from '../open-database.ts'
import type { TermKind } from './terms.ts'

/** The kinds whose values are counted. */
const facetKinds = ['variable', 'standard_name', 'units', 'dimension', 'dtype', 'institution', 'keyword'] as const

/** Writes the facets of a dataset: for each kind, ids with a space after each, and a line end. */
export function writeFacets(listIds: (kind: TermKind) => readonly number[]): string {
  return facetKinds.map((kind) => `${listIds(kind).map((id) => `${id} `).join('')}\n`).join('')
}

/** A value with the number of datasets that have it. */
export type FacetCount = { readonly value: string; readonly count: number }

/**
 * Counts the values of these kinds; returns the most frequent ones of each kind, at most `limit`.
 *
 * @param facets those of datasets, one after the other
 */
export async function countFacets(
  db: Database,
  facets: string,
  kinds: readonly TermKind[],
  limit: number,
): Promise<ReadonlyMap<TermKind, readonly FacetCount[]>> {
  const counts = countIds(facets)
  const frequent = kinds.map((kind) => [kind, chooseFrequent(counts.get(kind) ?? new Map(), limit)] as const)
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

type Counts = Map<number, number>

/** Counts the ids of each kind, character by character: there are some 100,000. */
function countIds(facets: string): ReadonlyMap<TermKind, Counts> {
  const counts = facetKinds.map(() => new Map<number, number>())
  let [kind, id] = [0, 0]
  for (let place = 0; place < facets.length; place++) {
    const code = facets.charCodeAt(place)
    if (code === space) {
      const ofKind = counts[kind]
      ofKind?.set(id, (ofKind.get(id) ?? 0) + 1)
      id = 0
    } else if (code === lineEnd) kind = (kind + 1) % facetKinds.length
    else id = id * 10 + code - zero
  }
  return new Map(facetKinds.map((kind, place) => [kind, counts[place] ?? new Map()]))
}

const [space, lineEnd, zero] = [32, 10, 48]

/** Returns the most frequent ids with their counts. */
function chooseFrequent(counts: Counts, limit: number): readonly (readonly [id: number, count: number])[] {
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
