// The rules of gaps, position by position, beside which the fast ones are tested.
import type { ArrayGaps } from '@floe/contract'

/** Lists the positions of a grid in the order of the bits. */
export function listPositions(grid: readonly number[]): number[][] {
  return grid.reduce<number[][]>(
    (found, count) => found.flatMap((before) => Array.from({ length: count }, (_, position) => [...before, position])),
    [[]],
  )
}

export type NaiveGaps = Pick<ArrayGaps, 'chunks' | 'last_written' | 'gaps' | 'patterns'> & {
  readonly profiles: readonly (readonly number[])[]
}

/** Finds the gaps of an array from the positions of its written chunks. */
export function findNaively(
  grid: readonly number[],
  names: readonly string[],
  along: number,
  written: readonly (readonly number[])[],
): NaiveGaps {
  const range = (length: number) => Array.from({ length }, (_, position) => position)
  const profiles = grid.map((count, axis) =>
    range(count).map((position) => written.filter((chunk) => chunk[axis] === position).length),
  )
  const countAt = (axis: number, position: number) => profiles[axis]?.[position]
  const isEmpty = (axis: number, position: number) => countAt(axis, position) === 0
  const chunks = { written: written.length, total: listPositions(grid).length }
  if (written.length === 0) return { chunks, last_written: null, gaps: [], patterns: [], profiles }
  const others = range(grid.length).filter((axis) => axis !== along)
  const patterns = others.flatMap((axis) => {
    const empty = range(grid[axis] ?? 0).filter((position) => isEmpty(axis, position))
    return joinRanges(empty, () => true).map((found) => ({ dimension: names[axis] ?? '', ...found }))
  })
  const last = Math.max(...written.map((chunk) => chunk[along] ?? 0))
  const total = listPositions(grid).filter(
    (chunk) => chunk[along] === 0 && others.every((axis) => !isEmpty(axis, chunk[axis] ?? 0)),
  ).length
  const lacking = range(last + 1).filter((position) => (countAt(along, position) ?? 0) < total)
  const gaps = joinRanges(lacking, (one, other) => countAt(along, one) === countAt(along, other)).map((found) => ({
    ...found,
    written: countAt(along, found.first) ?? 0,
    total,
  }))
  return { chunks, last_written: last, gaps, patterns, profiles }
}

function joinRanges(positions: readonly number[], isAlike: (one: number, other: number) => boolean) {
  const ranges: { first: number; last: number }[] = []
  for (const position of positions) {
    const before = ranges.at(-1)
    if (before?.last === position - 1 && isAlike(before.last, position)) before.last = position
    else ranges.push({ first: position, last: position })
  }
  return ranges
}
