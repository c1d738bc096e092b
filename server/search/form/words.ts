// Splits texts into the words of the index. The same functions split datasets and queries.
import { stemWord } from './stems.ts'

/** Longest word, in UTF-16 code units; what follows is cut. */
const maxWordLength = 64

const lettersAndDigits = /[\p{L}\p{N}]+/gu

/** Where a name in camel case is split: `airTemp` before `Temp`, `SSTMean` before `Mean`, but `T2M` nowhere. */
const humps = /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{N}])(?=\p{Lu}\p{Ll})/u

const leadingDigits = /^\p{N}+/u

/**
 * Splits a text into words in lower case, without accents, in their order. Names are split between underscores and
 * humps, and after leading digits, so that `2m` is the same as `2 m`.
 */
export function splitWords(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  const words: string[] = []
  for (const [name] of plain.matchAll(lettersAndDigits))
    for (const part of name.split(humps)) {
      const digits = leadingDigits.exec(part)?.[0] ?? ''
      for (const word of [digits, part.slice(digits.length)]) if (word !== '') words.push(normalize(word))
    }
  return words
}

function normalize(word: string): string {
  return word.toLowerCase().slice(0, maxWordLength).toWellFormed()
}

/** A word of a query. */
export type QueryWord = {
  readonly value: string
  /** What inflected forms of the word have in common. */
  readonly stem: string
  /** Whether it also stands for the words that begin with it, because somebody may still be typing it. */
  readonly isBeginning: boolean
}

/** The words and phrases of a query. */
export type QueryWords = {
  readonly words: readonly QueryWord[]
  /** The stems of words that must follow each other in one text. Each has at least two. */
  readonly phrases: readonly (readonly string[])[]
}

/** Maximum number of words of a query; others are ignored. */
const maxQueryWords = 20

/** Least length of a beginning. A single letter is a whole word: it begins too many others. */
const minBeginning = 2

/** Texts between quotes, and the rest. An unpaired quote has no meaning. */
const quoted = /"([^"]*)"/g

/**
 * Splits a query into words that a dataset must have, in any order, and phrases. If nothing follows the last word, it
 * is the beginning of a word.
 */
export function splitQuery(query: string): QueryWords {
  const phrases = [...query.matchAll(quoted)].map(([, phrase = '']) => splitWords(phrase))
  const loose = splitWords(query.replaceAll(quoted, ' '))
  const isOpen = /[\p{L}\p{M}\p{N}]$/u.test(query)
  const makeWord = (value: string, isLast: boolean) => {
    const isBeginning = isOpen && isLast && value.length >= minBeginning
    return { value, stem: stemWord(value), isBeginning }
  }
  const words = [
    ...loose.map((value, index) => makeWord(value, index === loose.length - 1)),
    ...phrases.flat().map((value) => makeWord(value, false)),
  ]
  return {
    words: words.slice(0, maxQueryWords),
    phrases: phrases.filter(({ length }) => length > 1).map((phrase) => phrase.slice(0, maxQueryWords).map(stemWord)),
  }
}
