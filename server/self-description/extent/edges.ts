// Reads the four numbers of a box.
import { isJsonArray, type JsonValue } from '@floe/storage/json'
import { readNumber } from './single-value.ts'

/** West, south, east and north in degrees, or in the units of a reference system. */
export type Edges = readonly [west: number, south: number, east: number, north: number]

/** Reads four numbers, or six. */
export function readEdges(stated: JsonValue | undefined): Edges | null {
  if (!isJsonArray(stated) || (stated.length !== 4 && stated.length !== 6)) return null
  const numbers = stated.map(readNumber)
  // A box may have heights: west, south, lowest, east, north, highest.
  const [west = NaN, south = NaN, east = NaN, north = NaN] =
    numbers.length === 6 ? numbers.filter((_, index) => index % 3 < 2) : numbers
  return [west, south, east, north].every(Number.isFinite) ? [west, south, east, north] : null
}
