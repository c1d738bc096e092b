// Counts the values of the datasets that a search finds: of the variables that matched, or of all data variables where
// the dataset matched as a whole.
import type { SearchFacet, SearchAnswer } from '@floe/contract'
import { noLicence, searchLimits } from '@floe/contract/constants'
import { type Database, readTexts } from '@floe/storage/database'
import { foldUnits, identifyUnits } from '../../self-description/units.ts'
import { readLine } from '../form/variable-lines.ts'
import { type ChosenVariables, readLines } from './read-variables.ts'

/** Facets of datasets as a whole; others are of their variables. */
const ofDatasets: ReadonlySet<SearchFacet> = new Set(['institution', 'keyword', 'licence', 'kind'])

/** Counts the values of these facets, the most frequent first. */
export async function countFacets(
  db: Database,
  chosen: readonly ChosenVariables[],
  facets: readonly SearchFacet[],
): Promise<SearchAnswer['facets']> {
  if (facets.length === 0) return {}
  const counters = new Map(facets.map((facet) => [facet, new Counter()]))
  const add = (facet: SearchFacet, value: string | null, dataset: number) => counters.get(facet)?.add(value, dataset)
  const units = new UnitSpellings()
  if (facets.some((facet) => !ofDatasets.has(facet))) {
    for (const [dataset, lines] of (await readLines(db, chosen)).entries())
      for (const { line } of lines) {
        const { name, standard_name, units: written, type, dimensions } = readLine(line)
        add('variable', name, dataset)
        add('standard_name', standard_name, dataset)
        add('units', written === null ? null : units.identify(written), dataset)
        add('dtype', type, dataset)
        for (const dimension of dimensions) add('dimension', dimension, dataset)
      }
  }
  if (facets.some((facet) => ofDatasets.has(facet))) {
    const keys = chosen.map(({ dataset: { shard, number } }) => ({ shard: shard.id, number }))
    for (const [dataset, { institution, keywords, licence, kind }] of (await readTexts(db, keys)).entries()) {
      add('institution', institution, dataset)
      add('licence', licence ?? noLicence, dataset)
      add('kind', kind, dataset)
      for (const keyword of (keywords ?? '').split(',')) add('keyword', keyword.trim(), dataset)
    }
  }
  const show = (facet: SearchFacet) => (value: string) => (facet === 'units' ? units.show(value) : value)
  return Object.fromEntries([...counters].map(([facet, counter]) => [facet, counter.listFrequent(show(facet))]))
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

  /** @param show how a value is written */
  listFrequent(show: (value: string) => string): { value: string; count: number }[] {
    return [...this.#counts]
      .map(([value, { count }]) => ({ value: show(value), count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, searchLimits.facetValues)
  }
}

/** The spellings of units that were counted. The shortest one of a unit is shown. */
class UnitSpellings {
  readonly #texts = new Map<string, string>()
  readonly #shown = new Map<string, string>()

  /** Names the unit, whatever its spelling. */
  identify(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const [units, spelling] = [identifyUnits(text), foldUnits(text)]
    const shown = this.#shown.get(units)
    if (shown === undefined || spelling.length < shown.length || (spelling.length === shown.length && spelling < shown))
      this.#shown.set(units, spelling)
    this.#texts.set(text, units)
    return units
  }

  show(units: string): string {
    return this.#shown.get(units) ?? units
  }
}
