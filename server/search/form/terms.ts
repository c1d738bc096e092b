// The terms of the index: words, pairs of words that follow each other, whole texts, and values that are asked for
// exactly. Each kind has a letter before its terms, so that one column holds all of them.
import type { SearchFacet } from '@floe/contract/lists'
import { LRUCache } from 'lru-cache'
import { splitWords } from './words.ts'
import { stemWord } from './stems.ts'
import { identifyUnits } from '../../self-description/units.ts'

const letters = {
  /** A word, and the stem of a word. */
  word: 'w',
  /** The stems of two words that follow each other. */
  pair: 'p',
  /** The stems of all words of a text. */
  text: 't',
  variable: 'v',
  standard_name: 's',
  units: 'u',
  dimension: 'd',
  dtype: 'y',
  institution: 'i',
  keyword: 'k',
  licence: 'l',
  kind: 'c',
  attribute: 'a',
} as const

/** The values that a search can ask for exactly. */
export type ExactKind = SearchFacet | 'attribute'

export type TermKind = keyof typeof letters

/**
 * Longest value, in UTF-16 code units. Longer ones are found by their words alone: an index of PostgreSQL takes 2,704
 * bytes.
 */
export const maxValueLength = 512

/** Longest text that is found as a whole, in words. */
const maxTextWords = 12

/**
 * Maximum number of pairs in the descriptions of a dataset, so that they leave the places for the words and names of
 * its other variables.
 */
const maxDescribedPairs = 20_000

/** Makes a term of any kind. The value has no character that databases refuse. */
export function makeTerm(kind: TermKind, value: string): string {
  return letters[kind] + (kind === 'units' ? identifyUnits(value) : value)
}

/** Makes the terms of pairs: one for each word but the last. */
export function makePairs(stems: readonly string[]): string[] {
  return stems.slice(1).map((stem, index) => makeTerm('pair', `${stems[index]} ${stem}`))
}

/** Makes the term of a whole text; undefined for one that is too long to be asked for. */
export function makeWholeText(stems: readonly string[]): string | undefined {
  return stems.length > 0 && stems.length <= maxTextWords ? makeTerm('text', stems.join(' ')) : undefined
}

/** The terms of a text. */
type TextTerms = {
  /** Words, the series that they belong to, and the stems of both. */
  readonly words: readonly string[]
  readonly pairs: readonly string[]
  readonly whole: string | undefined
}

/** Most texts occur in many variables, and splitting one takes longer than all else. */
const splitTexts = new LRUCache<string, TextTerms>({ max: 5_000 })

function splitText(text: string): TextTerms {
  const known = splitTexts.get(text)
  if (known !== undefined) return known
  const words = splitWords(text)
  const stems = words.map(stemWord)
  const named = [...words, ...words.flatMap(findSeries)]
  const terms = {
    words: [...new Set([...named, ...named.map(stemWord)])].map((word) => makeTerm('word', word)),
    pairs: makePairs(stems),
    whole: makeWholeText(stems),
  }
  splitTexts.set(text, terms)
  return terms
}

const seriesName = /^\p{L}{3,64}(?=\p{N})/u

/** Returns the letters before the digits of a name: `era5` is one of the `era`s. */
function findSeries(word: string): readonly string[] {
  return seriesName.exec(word) ?? []
}

/** Collects the terms of one dataset with their places, which are added in ascending order. */
export class TermCollector {
  readonly places = new Map<string, number[]>()
  readonly #maxPlaces: number
  #count = 0
  #described = 0

  /** @param maxPlaces number of places after which others are ignored */
  constructor(maxPlaces: number) {
    this.#maxPlaces = maxPlaces
  }

  get isFull(): boolean {
    return this.#count >= this.#maxPlaces
  }

  /** Number of places so far. */
  get count(): number {
    return this.#count
  }

  add(place: number, term: string): void {
    if (this.isFull) return
    const places = this.places.get(term)
    if (places === undefined) this.places.set(term, [place])
    else if (places.at(-1) === place) return
    else places.push(place)
    this.#count++
  }

  /** Adds a value that can be asked for exactly, unless it is empty or too long. Empty units are those of a number. */
  addValue(place: number, kind: ExactKind, value: string | null): void {
    if (value !== null && (value !== '' || kind === 'units') && value.length <= maxValueLength)
      this.add(place, makeTerm(kind, value))
  }

  /** Adds the words of a text, which are found in any order. */
  addWords(place: number, text: string): void {
    for (const word of splitText(text).words) this.add(place, word)
  }

  /** Adds the pairs of a description, in which phrases are found, as long as the dataset has few of them. */
  addDescribedPairs(place: number, text: string): void {
    for (const pair of splitText(text).pairs) {
      if (this.#described >= maxDescribedPairs) return
      this.add(place, pair)
      this.#described++
    }
  }

  /** Adds the words and pairs of a description. */
  addDescription(place: number, text: string): void {
    this.addWords(place, text)
    this.addDescribedPairs(place, text)
  }

  /** Adds the words and all pairs of a text. */
  addText(place: number, text: string | null): void {
    if (text === null) return
    this.addWords(place, text)
    for (const pair of splitText(text).pairs) this.add(place, pair)
  }

  /** Adds the words of a name, which ranks highest if it is all that is asked for. */
  addName(place: number, name: string | null): void {
    if (name === null) return
    this.addText(place, name)
    const { whole } = splitText(name)
    if (whole !== undefined) this.add(place, whole)
  }
}
