// Scores a dataset by where the words of a search are in it.
import { placeNumbers, type VariableCounts } from '../form/places.ts'
import { makePlaceList, type ShardPlaces, type TermPlaces } from './term-places.ts'

/**
 * What a word weighs by where it is. All words in one variable rank before all in the title, and these before words
 * that are spread. Words that follow each other count more than words alone, and so does a name or title that is a part
 * of the query as a whole. A variable whose name is the query, letter by letter, comes first. Coordinates count less
 * than data, because most datasets have the same ones. So do pictures, because words describe what they show; all words
 * of a dataset that has nothing else count half.
 */
const weights = {
  inBestVariable: 8,
  inBestOther: 4,
  inName: 6,
  elsewhere: 3,
  inherited: 1,
  exact: 1,
  pair: 2,
  whole: 2,
  wordOfWhole: 2,
  named: 64,
} as const

const { name, inherited, firstVariable } = placeNumbers

/** A shard whose datasets are scored. */
export type ScoredShard = {
  readonly places: ShardPlaces
  readonly counts: Pick<VariableCounts, 'countData' | 'countMeasured'>
}

/** Scores the datasets of shards. Its arrays are used again for each dataset. */
export class DatasetScorer {
  /** For each place, the words and values that are there, a bit for each. */
  #masks = new Uint32Array(1_024)
  /** For each place, what words that follow each other, and whole texts, weigh. */
  #extras = new Uint16Array(1_024)
  readonly #touched: number[] = []
  /** The place of the variable whose name is the query; 0 if there is none. */
  #named = 0
  readonly #read = makePlaceList()

  /** Returns the score of a dataset; undefined if it does not match. */
  score({ places, counts }: ScoredShard, dataset: number): number | undefined {
    if (!this.#collect(places, dataset)) return undefined
    const [measured, data] = [counts.countMeasured(dataset), counts.countData(dataset)]
    let best: number = name
    let [score, elsewhere] = [0, 0]
    for (const place of this.#touched) {
      if (place !== name && place !== inherited) elsewhere |= this.#masks[place] ?? 0
      const worthHere = place < firstVariable ? 0 : this.#worthOf(place, measured, data)
      // Of two that weigh the same, the first one, so that the order of the words does not matter.
      if (worthHere > score || (worthHere === score && place < best)) [best, score] = [place, worthHere]
    }
    const inBest = best === name ? 0 : (this.#masks[best] ?? 0)
    const inName = this.#masks[name] ?? 0
    score += this.#extras[name] ?? 0
    for (let index = 0; index < places.exact.length; index++) {
      const bit = 1 << index
      if (places.exact[index]?.has(dataset) === true) score += weights.exact
      if ((inBest & bit) !== 0) continue
      if ((inName & bit) !== 0) score += weights.inName
      else score += (elsewhere & bit) !== 0 ? weights.elsewhere : weights.inherited
    }
    return measured === 0 && data > 0 ? Math.floor(score / 2) : score
  }

  /**
   * Lists the variables of a dataset that have as many words and values of the search as any of them has, best first.
   * Coordinates only if no data variable has one.
   */
  listMatched({ places, counts }: ScoredShard, dataset: number): readonly number[] {
    if (!this.#collect(places, dataset)) return []
    const [measured, data] = [counts.countMeasured(dataset), counts.countData(dataset)]
    const worthOf = (place: number) => this.#worthOf(place, measured, data)
    const variables = this.#touched.filter((place) => place >= firstVariable && this.#masks[place] !== 0)
    const ofData = variables.filter((place) => place - firstVariable < data)
    const listed = ofData.length > 0 ? ofData : variables
    const most = Math.max(0, ...listed.map((place) => countBits(this.#masks[place] ?? 0)))
    return listed
      .filter((place) => countBits(this.#masks[place] ?? 0) === most)
      .sort((a, b) => worthOf(b) - worthOf(a) || (this.#extras[b] ?? 0) - (this.#extras[a] ?? 0) || a - b)
      .map((place) => place - firstVariable)
  }

  /**
   * @param measured number of the first data variables, which are no pictures
   * @param data number of data variables
   */
  #worthOf(place: number, measured: number, data: number): number {
    const [words, index] = [countBits(this.#masks[place] ?? 0), place - firstVariable]
    const here =
      index < measured ? words * weights.inBestVariable + (this.#extras[place] ?? 0) : words * weights.inBestOther
    return index < data && place === this.#named ? here + weights.named : here
  }

  /** Collects what a search asks for by place; returns false if the dataset lacks any of it. */
  #collect({ required, phrases, named, pairs, wholes }: ShardPlaces, dataset: number): boolean {
    for (const terms of required) if (!hasAny(terms, dataset)) return false
    for (const phrase of phrases) if (!hasPhrase(phrase, dataset)) return false
    for (const place of this.#touched) this.#masks[place] = this.#extras[place] = 0
    this.#touched.length = 0
    let bit = 1
    for (const terms of required) {
      for (const term of terms) {
        term.read(dataset, this.#read)
        for (let index = 0; index < this.#read.length; index++) {
          const place = this.#read.numbers[index] ?? 0
          this.#touch(place)
          this.#masks[place] = (this.#masks[place] ?? 0) | bit
        }
      }
      bit <<= 1
    }
    this.#named = this.#findOnly(named, dataset)
    for (const pair of pairs) this.#addExtra(pair, dataset, weights.pair)
    for (const { terms, words } of wholes) this.#addExtra(terms, dataset, weights.whole + words * weights.wordOfWhole)
    return true
  }

  /** Finds the place of a term that at most one variable has. */
  #findOnly(term: TermPlaces | undefined, dataset: number): number {
    if (term === undefined) return 0
    term.read(dataset, this.#read)
    return this.#read.length === 0 ? 0 : (this.#read.numbers[0] ?? 0)
  }

  #addExtra(term: TermPlaces, dataset: number, extra: number): void {
    term.read(dataset, this.#read)
    for (let index = 0; index < this.#read.length; index++) {
      const place = this.#read.numbers[index] ?? 0
      this.#touch(place)
      this.#extras[place] = (this.#extras[place] ?? 0) + extra
    }
  }

  #touch(place: number): void {
    if (place >= this.#masks.length) this.#grow(place)
    if (this.#masks[place] === 0 && this.#extras[place] === 0) this.#touched.push(place)
  }

  #grow(place: number): void {
    const [masks, extras] = [this.#masks, this.#extras]
    this.#masks = new Uint32Array(2 * place)
    this.#masks.set(masks)
    this.#extras = new Uint16Array(2 * place)
    this.#extras.set(extras)
  }
}

function hasAny(terms: readonly TermPlaces[], dataset: number): boolean {
  for (const term of terms) if (term.has(dataset)) return true
  return false
}

/** Whether all pairs of a phrase are in one place. */
function hasPhrase(pairs: ShardPlaces['phrases'][number], dataset: number): boolean {
  const list = makePlaceList()
  let common: ReadonlySet<number> | undefined
  for (const pair of pairs) {
    if (pair === undefined) return false
    pair.read(dataset, list)
    const places = [...list.numbers.subarray(0, list.length)]
    const before = common
    common = new Set(before === undefined ? places : places.filter((place) => before.has(place)))
    if (common.size === 0) return false
  }
  return true
}

function countBits(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}
