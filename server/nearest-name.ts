// Suggests what a misspelt name may stand for.

/** Names that are compared; sources can have a hundred thousand. */
const maxCompared = 2_000

/** Longer names get no suggestion, because comparing takes time. */
const maxLength = 64

/** A name may have one mistake for every three characters, up to this many. */
const maxEdits = 3

/** Near names that are listed. */
const maxListed = 3

/** Lists the names that take the fewest edits, nearest first; none if none is near. */
export function listNearest(misspelt: string, names: Iterable<string>): readonly string[] {
  const most = Math.min(maxEdits, Math.floor(misspelt.length / 3))
  if (most < 1 || misspelt.length > maxLength) return []
  return Iterator.from(names)
    .take(maxCompared)
    .filter((name) => name !== misspelt)
    .map((name) => ({ name, edits: countEdits(misspelt, name, most) }))
    .filter(({ edits }) => edits <= most)
    .toArray()
    .sort((one, other) => one.edits - other.edits)
    .slice(0, maxListed)
    .map(({ name }) => name)
}

/** Returns `; did you mean NAME?`, with the nearest name; nothing if none is near. */
export function suggestName(misspelt: string, names: Iterable<string>): string {
  const [nearest] = listNearest(misspelt, names)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

/**
 * Counts the characters to insert, delete, replace or swap with their neighbour (optimal string alignment). Only the cells near the diagonal of
 * the table are computed, so the time grows with the length of the names; the result may be too large above `most`.
 */
function countEdits(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return Infinity
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row++) {
    const cells: number[] = [row]
    for (let column = Math.max(1, row - most); column <= Math.min(to.length, row + most); column++) {
      const read = (line: readonly number[], at: number) => line[at] ?? Infinity
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      cells[column] = Math.min(
        read(last, column) + 1,
        read(cells, column - 1) + 1,
        read(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? read(beforeLast, column - 2) + 1 : Infinity,
      )
    }
    if (cells.every((edits) => edits > most)) return Infinity
    beforeLast = last
    last = cells
  }
  return last[to.length] ?? Infinity
}
