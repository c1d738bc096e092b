// The manifests that an array names.
//
//   ArrayNodeData    slot 2 [ManifestRef]
//   ManifestRef      slot 0 id of the manifest · 1 [ChunkIndexRange], one for each dimension
//   ChunkIndexRange  8 bytes: 0 first (u32) · 4 end (u32, exclusive) of the references in the manifest
import type { Table, TableVector } from '../../encoding/flatbuffers.ts'
import type { TableFields } from '../../encoding/table-fields.ts'
import { idBytes } from '../object-id.ts'
import { maxDimensions } from './read-grid.ts'

/** Where the references of an array lie in a manifest, along each dimension. */
export type ManifestRanges = readonly (readonly [first: number, end: number])[]

const rangeBytes = 8

/** The manifests of an `ArrayNodeData`. */
const arrayFields = [{ slot: 2, size: 4 }]

/** The id and the ranges of a `ManifestRef`. */
const refFields = [
  { slot: 0, size: idBytes },
  { slot: 1, size: 4 },
]

/** Reads the manifests that arrays name, one after the other. Its methods throw DamagedObjectError. */
export class ManifestRefs {
  readonly #view: DataView
  readonly #root: Table
  readonly #array: TableFields
  readonly #ref: TableFields

  /** @param root the table of the snapshot in `bytes` */
  constructor(bytes: Uint8Array, root: Table) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#root = root
    this.#array = root.readFields(arrayFields)
    this.#ref = root.readFields(refFields)
  }

  /**
   * Finds the manifests of the array whose `ArrayNodeData` is at a position.
   *
   * @returns undefined if it states none
   */
  find(position: number): TableVector | undefined {
    this.#array.moveTo(position)
    const manifests = this.#array.findTable(0)
    return manifests === 0 ? undefined : this.#root.tablesAt(manifests)
  }

  /** Makes this object read one of them. */
  moveTo(named: TableVector, at: number): void {
    this.#ref.moveTo(named.find(at))
  }

  /** The position of its id, or 0. */
  findId(): number {
    return this.#ref.find(0)
  }

  /** Its ranges; undefined if there are none, or one ends before it begins. */
  readRanges(): ManifestRanges | undefined {
    const start = this.#ref.findStructs(1, rangeBytes)
    const length = start === 0 ? Infinity : this.#view.getUint32(start, true)
    if (length > maxDimensions) return undefined
    const ranges: (readonly [first: number, end: number])[] = []
    for (let axis = 0; axis < length; axis++) {
      const range = this.#readRange(start, axis)
      if (range[0] > range[1]) return undefined
      ranges.push(range)
    }
    return ranges
  }

  /**
   * Counts the chunks that its ranges have room for on a grid, without making anything, because there are many.
   *
   * @param grid how many chunks the array has along each dimension
   */
  countRoom(grid: readonly number[]): number | 'contradictory' | 'outside_grid' {
    const start = this.#ref.findStructs(1, rangeBytes)
    if (start === 0 || this.#view.getUint32(start, true) !== grid.length) return 'contradictory'
    let chunks = 1
    for (let axis = 0; axis < grid.length; axis++) {
      const [first, end] = this.#readRange(start, axis)
      if (end > (grid[axis] ?? 0)) return 'outside_grid'
      chunks *= Math.max(0, end - first)
    }
    return chunks
  }

  #readRange(start: number, axis: number): readonly [first: number, end: number] {
    const range = start + 4 + axis * rangeBytes
    return [this.#view.getUint32(range, true), this.#view.getUint32(range + 4, true)]
  }
}
