import type { Cancellation } from '@floe/storage/json'
import { countIn, readBits } from './bits.ts'
import { listStrides } from './strides.ts'

/** Number of rows between two checks of the cancellation. */
const rowsPerCheck = 65_536

/** Number of bits that are read at once. */
const part = 24

/**
 * Counts, for each dimension of a grid, the bits that are set at each of its positions.
 *
 * @param bits one for each position, the last dimension fastest
 * @throws what the cancellation throws
 */
export function countAlong(
  bits: Uint8Array,
  grid: readonly number[],
  cancellation?: Cancellation,
): readonly Uint32Array[] {
  const counts = grid.map((length) => new Uint32Array(length))
  if (grid.includes(0)) return counts
  // Dimensions of one position make no rows.
  const axes = grid.flatMap((length, axis) => (length === 1 ? [] : [axis]))
  const strides = listStrides(grid)
  const columns = counts[axes.pop() ?? -1] ?? new Uint32Array(1)
  const rows = new RowCounter(bits, columns, cancellation)
  const sum = (depth: number, at: number): number => {
    const axis = axes[depth] ?? -1
    const along = counts[axis]
    const stride = strides[axis] ?? 0
    if (along === undefined) return rows.countRow(at)
    if (depth === axes.length - 1) return rows.countRows(at, stride, along)
    let all = 0
    for (let position = 0; position < along.length; position++) {
      const count = sum(depth + 1, at + position * stride)
      along[position] = (along[position] ?? 0) + count
      all += count
    }
    return all
  }
  const all = sum(0, 0)
  rows.finish()
  for (const along of counts) if (along.length === 1) along[0] = all
  return counts
}

/** Counts the bits of rows, and those of each column. */
class RowCounter {
  readonly #bits: Uint8Array
  readonly #columns: Uint32Array
  readonly #cancellation: Cancellation | undefined
  /** How many rows have all bits of each part, whose columns are counted at the end. */
  readonly #whole: Uint32Array
  #rows = 0

  constructor(bits: Uint8Array, columns: Uint32Array, cancellation: Cancellation | undefined) {
    this.#bits = bits
    this.#columns = columns
    this.#cancellation = cancellation
    this.#whole = new Uint32Array(Math.ceil(columns.length / part))
  }

  /** Counts rows at equal distances. Adds the number of bits of each to `counts`, and returns that of all. */
  countRows(at: number, stride: number, counts: Uint32Array): number {
    let all = 0
    for (let index = 0; index < counts.length; index++) {
      const count = this.countRow(at + index * stride)
      counts[index] = (counts[index] ?? 0) + count
      all += count
    }
    return all
  }

  countRow(at: number): number {
    if (++this.#rows % rowsPerCheck === 0) this.#cancellation?.throwIfAborted()
    const [bits, columns, whole] = [this.#bits, this.#columns, this.#whole]
    let all = 0
    for (let index = 0, first = 0; first < columns.length; index++, first += part) {
      const length = Math.min(part, columns.length - first)
      const mask = (1 << length) - 1
      let word = readBits(bits, at + first) & mask
      if (word === 0) continue
      if (word === mask) {
        whole[index] = (whole[index] ?? 0) + 1
        all += length
        continue
      }
      all += countIn(word)
      while (word !== 0) {
        const column = first + 31 - Math.clz32(word & -word)
        columns[column] = (columns[column] ?? 0) + 1
        word &= word - 1
      }
    }
    return all
  }

  /** Completes the counts of the columns. */
  finish(): void {
    const [columns, whole] = [this.#columns, this.#whole]
    for (let index = 0; index < whole.length; index++) {
      const added = whole[index] ?? 0
      if (added === 0) continue
      const end = Math.min((index + 1) * part, columns.length)
      for (let column = index * part; column < end; column++) columns[column] = (columns[column] ?? 0) + added
    }
  }
}
