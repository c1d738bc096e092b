import type { NodeId } from '../types.ts'
import { countDistinctRows } from './count-rows.ts'

/** Grid coordinates, one row for each chunk. Only the first `length` numbers are in use; the rest is room to grow. */
type Rows = { coordinates: Uint32Array<ArrayBuffer>; length: number }

/** Counts the distinct changed chunks of arrays. A chunk takes about 4 bytes for each dimension. */
export class ChunkCounts {
  /** By number of dimensions, then by array. Only an array whose `zarr.json` was replaced can have several numbers. */
  readonly #ranks = new Map<number, Map<NodeId, Rows>>()

  /** Adds a chunk by its grid coordinates: one u32, little-endian, for each dimension. */
  add(node: NodeId, coordinates: Uint8Array): void {
    const rank = coordinates.length / 4
    const rows = this.#findRows(node, rank)
    const end = rows.length + rank
    if (end > rows.coordinates.length) {
      const larger = new Uint32Array(Math.max(end, 2 * rows.length))
      larger.set(rows.coordinates)
      rows.coordinates = larger
    }
    const view = new DataView(coordinates.buffer, coordinates.byteOffset, coordinates.length)
    for (let at = 0; at < rank; at++) rows.coordinates[rows.length + at] = view.getUint32(4 * at, true)
    rows.length = end
  }

  /** The number of distinct chunks of each array that has any. */
  count(): Map<NodeId, number> {
    const counts = new Map<NodeId, number>()
    for (const [rank, arrays] of this.#ranks)
      for (const [node, { coordinates, length }] of arrays) {
        // A scalar has one chunk, without coordinates.
        const count = rank === 0 ? 1 : countDistinctRows(coordinates.subarray(0, length), rank)
        counts.set(node, (counts.get(node) ?? 0) + count)
      }
    return counts
  }

  #findRows(node: NodeId, rank: number): Rows {
    const arrays = this.#ranks.get(rank) ?? new Map<NodeId, Rows>()
    this.#ranks.set(rank, arrays)
    const rows = arrays.get(node) ?? { coordinates: new Uint32Array(rank), length: 0 }
    arrays.set(node, rows)
    return rows
  }
}
