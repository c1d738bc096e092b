import { hash } from 'node:crypto'

/**
 * Shortens a name. A short form ends in a hash of the whole name, so it stays the same, and differs from others that
 * begin alike.
 *
 * @param characters those of the name, as they are written
 * @param measure the size of a character
 */
export function shortenName(
  characters: readonly string[],
  maxSize: number,
  measure: (character: string) => number,
): string {
  const name = characters.join('')
  const ending = `-${hash('sha256', name).slice(0, 16)}`
  const findEnd = (start: number) => {
    let size = start
    return characters.findIndex((character) => (size += measure(character)) > maxSize)
  }
  return findEnd(0) < 0 ? name : characters.slice(0, findEnd(ending.length)).join('') + ending
}
