// Reads where the words and values of a search are in the datasets of some shards.
import { type Database, type Posting, readCompletions, readPostings, type SearchedShard } from '@floe/storage/database'
import { NumberReader } from '../../../reading/search/places.ts'
import { makePairs, makeTerm, makeWholeText } from '../../../reading/search/terms.ts'
import type { QueryWord } from '../../../reading/search/words.ts'

/** What a dataset must have, as terms: for each word and each exact parameter, one of some terms. */
export type Conditions = {
  readonly words: readonly QueryWord[]
  /** Stems that must follow each other. */
  readonly phrases: readonly (readonly string[])[]
  /** For each parameter of exact values, the terms of which one is enough. */
  readonly values: readonly (readonly string[])[]
}

/** Where one term is in a shard. */
export class TermPlaces {
  readonly #bytes: Uint8Array
  /** For each dataset, the offset of its places plus one; 0 where it has none. */
  readonly #offsets: Uint32Array

  /** @param datasets number of datasets in the shard */
  constructor(bytes: Uint8Array, datasets: number) {
    this.#bytes = bytes
    this.#offsets = new Uint32Array(datasets)
    const reader = new NumberReader(bytes)
    for (let dataset = 0; !reader.isAtEnd;) {
      dataset += reader.next()
      this.#offsets[dataset] = reader.offset + 1
      reader.skip(reader.next())
    }
  }

  has(dataset: number): boolean {
    return this.#offsets[dataset] !== 0
  }

  /** Reads the places in a dataset, in ascending order, into a list that is used again. */
  read(dataset: number, places: PlaceList): void {
    places.length = 0
    const offset = this.#offsets[dataset]
    if (offset === undefined || offset === 0) return
    const reader = new NumberReader(this.#bytes, offset - 1)
    const count = reader.next()
    if (count > places.numbers.length) places.numbers = new Uint32Array(2 * count)
    let place = 0
    for (; places.length < count; places.length++) places.numbers[places.length] = place += reader.next()
  }
}

/** Some places. `numbers` has more room than they need. */
export type PlaceList = { length: number; numbers: Uint32Array }

export function makePlaceList(): PlaceList {
  return { length: 0, numbers: new Uint32Array(64) }
}

/** Where the terms of a search are in a shard. A list has several terms if one of them is enough. */
export type ShardPlaces = {
  /** For each word, then for each parameter of exact values. */
  readonly required: readonly (readonly TermPlaces[])[]
  readonly phrases: readonly (readonly (TermPlaces | undefined)[])[]
  /** For each word, the word as it was written; undefined if that is its stem. */
  readonly exact: readonly (TermPlaces | undefined)[]
  /** Words that follow each other in the query too. They only change the rank, as whole texts do. */
  readonly pairs: readonly TermPlaces[]
  /** Whole texts that are a part of the query, with their number of words. */
  readonly wholes: readonly { readonly terms: TermPlaces; readonly words: number }[]
}

/** A shard with the places of the terms that are searched for. */
export type PlacedShard = SearchedShard & { readonly places: ShardPlaces }

/** Reads the places of a search in some shards. */
export async function readPlaces(
  db: Database,
  shards: readonly SearchedShard[],
  conditions: Conditions,
): Promise<readonly PlacedShard[]> {
  const { words, values, phrases } = conditions
  const stems = words.map(({ stem }) => stem)
  const pairs = makePairs(stems)
  const parts = listParts(stems)
  const exact = words.map(({ value }) => makeTerm('word', value))
  const stemmed = stems.map((stem) => makeTerm('word', stem))
  const phrasePairs = phrases.map(makePairs)
  const ids = shards.map(({ id }) => id)
  const asked = [...exact, ...stemmed, ...pairs, ...phrasePairs.flat(), ...values.flat()]
  const wanted = [...new Set([...asked, ...parts.map(({ term }) => term)])]
  const postings = groupByShard(wanted.length > 0 ? await readPostings(db, ids, wanted) : [])
  const beginning = words.find(({ isBeginning }) => isBeginning)
  const completions = groupByShard(beginning ? await readCompletions(db, ids, makeTerm('word', beginning.value)) : [])
  return shards.map((shard) => {
    const { id, datasets } = shard
    const open = (bytes: Uint8Array) => new TermPlaces(bytes, datasets)
    const found = new Map((postings.get(id) ?? []).map(({ term, places }) => [term, open(places)]))
    const find = (term: string | undefined) => (term === undefined ? undefined : found.get(term))
    const findAll = (terms: readonly string[]) => terms.flatMap((term) => find(term) ?? [])
    const completed = (completions.get(id) ?? []).map(({ places }) => open(places))
    const ofWords = words.map(({ isBeginning }, index) => [
      ...findAll([stemmed[index] ?? '']),
      ...(isBeginning ? completed : []),
    ])
    const places = {
      required: [...ofWords, ...values.map(findAll)],
      exact: words.map(({ value, stem }, index) => (value === stem ? undefined : find(exact[index]))),
      phrases: phrasePairs.map((terms) => terms.map(find)),
      pairs: findAll(pairs),
      wholes: parts.flatMap(({ term, words }) => findAll([term]).map((terms) => ({ terms, words }))),
    }
    return { ...shard, places }
  })
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

function groupByShard(postings: readonly Posting[]): ReadonlyMap<number, Posting[]> {
  const groups = new Map<number, Posting[]>()
  for (const posting of postings) {
    const group = groups.get(posting.shard)
    if (group === undefined) groups.set(posting.shard, [posting])
    else group.push(posting)
  }
  return groups
}
