// Counts the values of the datasets that a search finds.
import { sql } from 'kysely'
import { listRecords } from '../engine.ts'
import type { Database } from '../open-database.ts'
import type { TermKind } from './terms.ts'

/** The kinds whose values are counted. */
const facetKinds = ['variable', 'standard_name', 'units', 'dimension', 'dtype', 'institution', 'keyword'] as const

/**
 * Facets of a dataset are a text: for each kind the ids of its terms, and a line end. An id has digits of five bits, the last of which is
 * written with other characters. Some 100,000 ids are counted for an answer, and this takes a tenth of the time that JSON takes.
 */
const [lineEnd, firstDigit, firstLastDigit] = [10, 48, 80]

export function writeFacets(listIds: (kind: TermKind) => readonly number[]): string {
  return facetKinds.map((kind) => `${listIds(kind).map(writeId).join('')}\n`).join('')
}

function writeId(id: number): string {
  const digits = [firstLastDigit + (id % 32)]
  for (let rest = id >>> 5; rest > 0; rest >>>= 5) digits.unshift(firstDigit + (rest % 32))
  return String.fromCharCode(...digits)
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
  const frequent = kinds.map((kind) => [kind, chooseFrequent(counts.get(kind) ?? [], limit)] as const)
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

type Count = readonly [id: number, count: number]

/** Counts the ids of each kind, in a table where an id has the place of its last bits, or the next free one. */
function countIds(facets: string): ReadonlyMap<TermKind, readonly Count[]> {
  // More places than ids: all but the first 31 have two characters or more.
  const size = 2 ** Math.ceil(Math.log2(facets.length / 2 + 32))
  const [ids, counts] = [new Uint32Array(size), new Uint32Array(size)]
  const places = facetKinds.map((): number[] => [])
  let [kind, id] = [0, 0]
  for (let index = 0; index < facets.length; index++) {
    const code = facets.charCodeAt(index)
    if (code === lineEnd) kind = (kind + 1) % facetKinds.length
    else if (code < firstLastDigit) id = id * 32 + code - firstDigit
    else {
      id = id * 32 + code - firstLastDigit
      let place = id & (size - 1)
      while (ids[place] !== id && ids[place] !== 0) place = (place + 1) & (size - 1)
      if (ids[place] === 0) places[kind]?.push(place)
      ids[place] = id
      counts[place] = (counts[place] ?? 0) + 1
      id = 0
    }
  }
  const read = (place: number): Count => [ids[place] ?? 0, counts[place] ?? 0]
  return new Map(facetKinds.map((kind, index) => [kind, (places[index] ?? []).map(read)]))
}

/** Returns the most frequent ids with their counts. */
function chooseFrequent(counts: readonly Count[], limit: number): readonly Count[] {
  // There may be thousands, most of them rare: sorting their counts takes less time than sorting pairs.
  const least =
    Uint32Array.from(counts, ([, count]) => count)
      .sort()
      .at(-limit) ?? 0
  const frequent = counts.filter(([, count]) => count >= least)
  return frequent.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit)
}

// A list of records, because a statement with a parameter for each id would have another text for each number of them.
async function readValues(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const found = sql<{ readonly id: number; readonly value: string }>`(
    select search_terms.id, search_terms.value from ${listRecords(
      db,
      ids.map((id) => ({ id })),
    )}
    cross join search_terms where search_terms.id = cast(item.value ->> 'id' as integer)
  )`
  const rows = await db.selectFrom(found.as('found')).select(['id', 'value']).execute()
  return new Map(rows.map(({ id, value }) => [id, value]))
}
