// Splits texts into the words of the index. Datasets and queries go through the same functions, and both engines store only their results.

/** Longest word, in UTF-16 code units; what follows is cut. */
const maxWordLength = 64

/** Letters, digits and underscores, the parts of names in programs. */
const names = /[\p{L}\p{N}_]+/gu

/** Where a name in camel case is split: `airTemp` before `Temp`, `SSTMean` before `Mean`. */
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** The words of a name: the whole, then its parts between underscores and humps if there are several. All in lower case, without accents. */
type SplitName = { readonly whole: string; readonly parts: readonly string[] }

function* splitNames(text: string): Generator<SplitName> {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  for (const [name] of plain.matchAll(names)) {
    const parts = name.split('_').flatMap((part) => part.split(humps))
    yield { whole: normalize(name), parts: parts.filter((part) => part !== '').map(normalize) }
  }
}

function normalize(word: string): string {
  return word.toLowerCase().slice(0, maxWordLength).toWellFormed()
}

/** Adds the words of a text to a set. */
export function addWords(words: Set<string>, text: string): void {
  for (const { whole, parts } of splitNames(text)) {
    words.add(whole)
    for (const part of parts) words.add(part)
  }
}

/** Writes a text as words with single spaces between them, as phrases are searched in. */
export function writeWords(text: string): string {
  return [...splitNames(text)].flatMap(({ parts }) => parts).join(' ')
}

/** The words and phrases of a query. */
export type QueryWords = {
  readonly words: readonly { readonly value: string; readonly isBeginning: boolean }[]
  readonly phrases: readonly string[]
}

/** Most words of a query; others are ignored. */
const maxQueryWords = 50

/** Texts between quotes, and the rest. An unpaired quote has no meaning. */
const quoted = /"([^"]*)"/g

/**
 * Splits a query into words that a dataset must have, in any order, and phrases. The last word is a beginning unless something follows it:
 * somebody may still be typing it.
 */
export function splitQuery(query: string): QueryWords {
  const phrases = [...query.matchAll(quoted)].map(([, phrase = '']) => writeWords(phrase)).filter((text) => text !== '')
  const loose = [...splitNames(query.replaceAll(quoted, ' '))].map(({ whole }) => whole)
  const isOpen = /[\p{L}\p{M}\p{N}_]$/u.test(query)
  const words = [
    ...loose.map((value, index) => ({ value, isBeginning: isOpen && index === loose.length - 1 })),
    ...phrases.flatMap((phrase) => phrase.split(' ').map((value) => ({ value, isBeginning: false }))),
  ]
  return { words: words.slice(0, maxQueryWords), phrases: phrases.slice(0, maxQueryWords) }
}
