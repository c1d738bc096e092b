// Suggests the name that a misspelt name may stand for.

/** Maximum number of names that are compared; sources can have a hundred thousand. */
const maxCompared = 2_000

/** Longer names, in characters, get no suggestion, because comparing them takes too long. */
const maxLength = 64

/** A name may have one mistake for every three characters, up to this many. */
const maxEdits = 3

/** Maximum number of suggestions. */
const maxListed = 3

/** Lists the names that differ from the misspelt one by few edits, nearest first; empty if there are none. */
export function listNearest(misspelt: string, names: Iterable<string>): readonly string[] {
  const limit = Math.min(maxEdits, Math.floor(misspelt.length / 3))
  if (limit < 1 || misspelt.length > maxLength) return []
  return Iterator.from(names)
    .take(maxCompared)
    .filter((name) => name !== misspelt)
    .map((name) => ({ name, edits: countEdits(misspelt, name, limit) }))
    .filter(({ edits }) => edits <= limit)
    .toArray()
    .sort((a, b) => a.edits - b.edits)
    .slice(0, maxListed)
    .map(({ name }) => name)
}

/** Returns `; did you mean "NAME" or "NAME"?` with all near names, in quotes; an empty text if none is near. */
export function suggestQuotedNames(misspelt: string, names: Iterable<string>): string {
  const nearest = listNearest(misspelt, names).map((name) => JSON.stringify(name))
  return nearest.length === 0 ? '' : `; did you mean ${nearest.join(' or ')}?`
}

/** Returns `; did you mean NAME?` with the nearest name; an empty text if none is near. */
export function suggestName(misspelt: string, names: Iterable<string>): string {
  const [nearest] = listNearest(misspelt, names)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

/**
 * Counts the characters to insert, delete, replace or swap with their neighbour (optimal string alignment distance).
 * Computes only the cells of the table near its diagonal, so the time grows linearly with the length of the names. If
 * the distance is above `limit`, the result may be too large.
 */
export function countEdits(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Infinity
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row++) {
    const cells: number[] = [row]
    for (let column = Math.max(1, row - limit); column <= Math.min(to.length, row + limit); column++) {
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
    if (cells.every((edits) => edits > limit)) return Infinity
    beforeLast = last
    last = cells
  }
  return last[to.length] ?? Infinity
}
