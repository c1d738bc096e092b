// Decides whether a search finds a dataset, as if the dataset were a shard of the index by itself.
import type { DescribedDataset } from '../describe/describe-dataset.ts'
import { PlaceWriter } from '../form/places.ts'
import { AskedTerms } from './asked-terms.ts'
import { ExtentReader, listExtent } from '../form/match-extent.ts'
import type { DatasetConditions } from './parse-conditions.ts'
import { DatasetScorer } from './score-dataset.ts'

/** Matches datasets with one search. */
export class DatasetMatcher {
  readonly #asked: AskedTerms
  readonly #extent: DatasetConditions['extent']
  readonly #scorer = new DatasetScorer()

  constructor({ conditions, extent }: DatasetConditions) {
    this.#asked = new AskedTerms(conditions)
    this.#extent = extent
  }

  /** Whether the search finds a dataset when the index has it. */
  matches({
    terms,
    dataVariableCount,
    measuredCount,
    extent,
  }: Pick<DescribedDataset, 'terms' | 'dataVariableCount' | 'measuredCount' | 'extent'>): boolean {
    const { wanted, beginning } = this.#asked
    const completions = beginning === undefined ? [] : [...terms.keys()].filter((term) => term.startsWith(beginning))
    const places = this.#asked.place(writePlaces(terms, wanted), writePlaces(terms, completions), 1)
    const counts = { countData: () => dataVariableCount, countMeasured: () => measuredCount }
    if (this.#scorer.score({ places, counts }, 0) === undefined) return false
    const extents = new ExtentReader(new Uint8Array(Float64Array.from(listExtent(extent, 0)).buffer))
    return extents.match(0, { ...this.#extent, changed: null }) === 'matches'
  }
}

/** Writes the places of the wanted terms that the dataset has. */
function writePlaces(terms: DescribedDataset['terms'], wanted: readonly string[]) {
  const writer = new PlaceWriter()
  for (const term of wanted) {
    const places = terms.get(term)
    if (places !== undefined) writer.add(term, 0, places)
  }
  return writer.write().map(([term, places]) => ({ term, places: Buffer.from(places, 'hex') }))
}
