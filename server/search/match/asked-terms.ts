// Which terms of the index a search asks for, and how a dataset must have them. The same rules hold for a shard of the
// index and for a dataset that was just described.
import { makePairs, makeTerm, makeWholeText } from '../form/terms.ts'
import type { QueryWord } from '../form/words.ts'
import { type ShardPlaces, TermPlaces } from './term-places.ts'

/** What a dataset must have, as terms: for each word and each exact parameter, one of some terms. */
export type Conditions = {
  readonly words: readonly QueryWord[]
  /** Stems that must follow each other. */
  readonly phrases: readonly (readonly string[])[]
  /** The term of variables whose name is the whole query; null if it has several words between spaces. */
  readonly named: string | null
  /** For each parameter of exact values, its alternative terms: one must match. */
  readonly values: readonly (readonly string[])[]
}

/** A term with its places in a shard, as bytes. */
type Posting = { readonly term: string; readonly places: Uint8Array }

/** The terms of a search. */
export class AskedTerms {
  readonly #conditions: Conditions
  readonly #stemmed: readonly string[]
  readonly #exact: readonly string[]
  readonly #pairs: readonly string[]
  readonly #parts: ReturnType<typeof listParts>
  readonly #phrases: readonly (readonly string[])[]
  /** The terms to look up. */
  readonly wanted: readonly string[]
  /** The terms that begin with this one are to be looked up too; undefined if there is no such word. */
  readonly beginning: string | undefined

  constructor(conditions: Conditions) {
    const { words, values, phrases, named } = conditions
    const stems = words.map(({ stem }) => stem)
    const beginning = words.find(({ isBeginning }) => isBeginning)
    this.#conditions = conditions
    this.#stemmed = stems.map((stem) => makeTerm('word', stem))
    this.#exact = words.map(({ value }) => makeTerm('word', value))
    this.#pairs = makePairs(stems)
    this.#parts = listParts(stems)
    this.#phrases = phrases.map(makePairs)
    const asked = [...this.#exact, ...this.#stemmed, ...this.#pairs, ...this.#phrases.flat(), ...values.flat()]
    if (named !== null) asked.push(named)
    this.wanted = [...new Set([...asked, ...this.#parts.map(({ term }) => term)])]
    this.beginning = beginning && makeTerm('word', beginning.value)
  }

  /**
   * Says where the search has to look in a shard.
   *
   * @param postings of the wanted terms that the shard has
   * @param completions of all its terms with the beginning
   * @param datasets number of datasets in the shard
   */
  place(postings: readonly Posting[], completions: readonly Posting[], datasets: number): ShardPlaces {
    const { words, values, named } = this.#conditions
    const open = (bytes: Uint8Array) => new TermPlaces(bytes, datasets)
    const found = new Map(postings.map(({ term, places }) => [term, open(places)]))
    const find = (term: string | undefined) => (term === undefined ? undefined : found.get(term))
    const findAll = (terms: readonly string[]) => terms.flatMap((term) => find(term) ?? [])
    const completed = completions.map(({ places }) => open(places))
    const ofWords = words.map(({ isBeginning }, index) => [
      ...findAll([this.#stemmed[index] ?? '']),
      ...(isBeginning ? completed : []),
    ])
    return {
      required: [...ofWords, ...values.map(findAll)],
      exact: words.map(({ value, stem }, index) => (value === stem ? undefined : find(this.#exact[index]))),
      phrases: this.#phrases.map((terms) => terms.map(find)),
      named: find(named ?? undefined),
      pairs: findAll(this.#pairs),
      wholes: this.#parts.flatMap(({ term, words }) => findAll([term]).map((terms) => ({ terms, words }))),
    }
  }
}

/** Only the parts of the first words are looked up as whole texts. */
const maxPartWords = 6

/** Lists the parts of a query that can be a whole text: words that follow each other. */
function listParts(stems: readonly string[]): readonly { readonly term: string; readonly words: number }[] {
  const first = stems.slice(0, maxPartWords)
  return first.flatMap((_, start) =>
    first.slice(start).flatMap((_, length) => {
      const term = makeWholeText(first.slice(start, start + length + 1))
      return term === undefined ? [] : [{ term, words: length + 1 }]
    }),
  )
}
