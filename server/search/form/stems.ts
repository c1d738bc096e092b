import { stem } from 'porter2'

/**
 * Words that mean the same, but have different stems: irregular plurals, the two spellings of English, and the
 * abbreviation of metre.
 */
const synonyms: ReadonlyMap<string, string> = new Map(
  [
    ['metre', 'metres', 'meter', 'meters', 'm'],
    ['gas', 'gases'],
    ['analysis', 'analyses'],
    ['axis', 'axes'],
    ['index', 'indices', 'indexes'],
    ['vapour', 'vapor'],
    ['colour', 'color', 'colours', 'colors'],
    ['centre', 'center', 'centres', 'centers'],
    ['grey', 'gray'],
    ['sulphate', 'sulfate'],
  ].flatMap(([stem = '', ...others]) => [stem, ...others].map((word) => [word, stem])),
)

/** Only these are English for certain. Shorter words are mostly names, such as `tas`. */
const inflected = /^[a-z]{4,64}$/

/** Returns what the inflected forms of a word have in common; the word itself if it is not an English one. */
export function stemWord(word: string): string {
  return synonyms.get(word) ?? (inflected.test(word) ? stem(word) : word)
}
