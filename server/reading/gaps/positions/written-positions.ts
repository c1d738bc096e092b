import type { ManifestArray } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { clearRun, countRun, fillRun, mergeRun } from './bits.ts'
import { countAlong } from './count-along.ts'
import { listStrides, multiply } from './strides.ts'

/** A box of positions. */
export type PositionBox = Pick<ManifestArray, 'first' | 'size'>

/** Number of runs between two checks of the cancellation. */
const runsPerCheck = 65_536

/** Which positions of the grid of one array are written: one bit for each, the last dimension fastest. */
export class WrittenPositions {
  readonly #grid: readonly number[]
  readonly #bits: Uint8Array
  readonly #cancellation: Cancellation | undefined
  #runs = 0
  /** References to positions outside of the grid. */
  outside = 0
  /** Whether a position was added twice. */
  isNamedTwice = false

  /** @param grid the number of positions along each dimension */
  constructor(grid: readonly number[], cancellation?: Cancellation) {
    this.#grid = grid
    this.#bits = new Uint8Array(Math.ceil(multiply(grid) / 8))
    this.#cancellation = cancellation
  }

  /** Adds all positions of a box, which is inside of the grid. */
  addBox(box: PositionBox): void {
    this.#walk(box, (at, _, length) => {
      if (fillRun(this.#bits, at, length)) this.isNamedTwice = true
    })
  }

  /** Adds the positions that a manifest names. */
  addNamed(named: ManifestArray): void {
    let inside = 0
    this.#walk(named, (at, from, length) => {
      inside += countRun(named.bits, from, length)
      if (mergeRun(this.#bits, at, named.bits, from, length)) this.isNamedTwice = true
    })
    this.outside += countRun(named.bits, 0, multiply(named.size)) - inside
  }

  /** Removes slices: positions of one dimension. */
  removeSlices(axis: number, first: number, end: number): void {
    const box = {
      first: this.#grid.map((_, other) => (other === axis ? first : 0)),
      size: this.#grid.map((count, other) => (other === axis ? end - first : count)),
    }
    this.#walk(box, (at, _, length) => clearRun(this.#bits, at, length))
  }

  /** Counts the written positions. */
  count(): number {
    return countRun(this.#bits, 0, 8 * this.#bits.length)
  }

  /** Counts, for each dimension, the written positions at each of its positions. */
  countAlong(): readonly Uint32Array[] {
    return countAlong(this.#bits, this.#grid, this.#cancellation)
  }

  /**
   * Visits the part of a box that is inside of the grid as runs of adjacent positions.
   *
   * @param visit gets the index of the first position in the grid, its index in the box, and the number of positions
   */
  #walk({ first, size }: PositionBox, visit: (at: number, from: number, length: number) => void): void {
    const grid = this.#grid
    const [strides, boxStrides] = [listStrides(grid), listStrides(size)]
    /** The dimension of the runs. The box has all positions of those after it. */
    let last = grid.length - 1
    while (last > 0 && first[last] === 0 && size[last] === grid[last]) last--
    const visitFrom = (axis: number, at: number, from: number): void => {
      const [start, stride, boxStride] = [first[axis] ?? 0, strides[axis] ?? 1, boxStrides[axis] ?? 1]
      const count = Math.min(size[axis] ?? 1, (grid[axis] ?? 1) - start)
      if (axis === Math.max(last, 0)) {
        if (count <= 0) return
        this.#check()
        visit(at + start * stride, from, count * stride)
        return
      }
      for (let index = 0; index < count; index++) {
        visitFrom(axis + 1, at + (start + index) * stride, from + index * boxStride)
      }
    }
    visitFrom(0, 0, 0)
  }

  #check(): void {
    if (++this.#runs % runsPerCheck === 0) this.#cancellation?.throwIfAborted()
  }
}
