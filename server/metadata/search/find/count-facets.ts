// Counts the values of the datasets that a search finds: of the variables that matched, or of all data variables where
// the dataset matched as a whole.
import type { SearchFacet, SearchAnswer } from '@floe/contract'
import { noLicence, searchLimits } from '@floe/contract/constants'
import { type Database, readTexts } from '@floe/storage/database'
import { foldUnits } from '../../../self-description/units.ts'
import { readLine } from '../../../reading/search/variable-lines.ts'
import type { RankedDataset } from './rank-datasets.ts'
import { type ChosenVariables, readLines } from './read-variables.ts'

/** Facets of datasets as a whole; others are of their variables. */
const ofDatasets: ReadonlySet<SearchFacet> = new Set(['institution', 'keyword', 'licence'])

/** Counts the values of these facets, the most frequent first. */
export async function countFacets(
  db: Database,
  datasets: readonly RankedDataset[],
  chosen: readonly ChosenVariables[],
  facets: readonly SearchFacet[],
): Promise<SearchAnswer['facets']> {
  if (facets.length === 0) return {}
  const counters = new Map(facets.map((facet) => [facet, new Counter()]))
  const add = (facet: SearchFacet, value: string | null, dataset: number) => counters.get(facet)?.add(value, dataset)
  if (facets.some((facet) => !ofDatasets.has(facet))) {
    const folded = new Map<string | null, string | null>([[null, null]])
    for (const [dataset, lines] of (await readLines(db, chosen)).entries())
      for (const { line } of lines) {
        const { name, standard_name, units, type, dimensions } = readLine(line)
        if (!folded.has(units)) folded.set(units, foldUnits(units ?? ''))
        add('variable', name, dataset)
        add('standard_name', standard_name, dataset)
        add('units', folded.get(units) ?? null, dataset)
        add('dtype', type, dataset)
        for (const dimension of dimensions) add('dimension', dimension, dataset)
      }
  }
  if (facets.some((facet) => ofDatasets.has(facet))) {
    const keys = datasets.map(({ shard: { id }, number }) => ({ shard: id, number }))
    for (const [dataset, { institution, keywords, licence }] of (await readTexts(db, keys)).entries()) {
      add('institution', institution, dataset)
      add('licence', licence ?? noLicence, dataset)
      for (const keyword of (keywords ?? '').split(',')) add('keyword', keyword.trim(), dataset)
    }
  }
  return Object.fromEntries([...counters].map(([facet, counter]) => [facet, counter.listFrequent()]))
}

/** Counts the datasets that have each value. */
class Counter {
  /** For each value, its number of datasets, and the last of them. */
  readonly #counts = new Map<string, { count: number; last: number }>()

  /** @param dataset a number that is not less than before */
  add(value: string | null, dataset: number): void {
    if (value === null || value === '') return
    const counted = this.#counts.get(value)
    if (counted === undefined) this.#counts.set(value, { count: 1, last: dataset })
    else if (counted.last !== dataset) {
      counted.count++
      counted.last = dataset
    }
  }

  listFrequent(): { value: string; count: number }[] {
    return [...this.#counts]
      .map(([value, { count }]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, searchLimits.facetValues)
  }
}
